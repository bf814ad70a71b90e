import { type Property, upper } from "./shape";

/** Inputs with several alternative forms: one interface per form, named after its required property. */
export interface Forms {
  /** For example `JobArgs`. */
  readonly name: string;
  readonly doc: string;
  readonly oneOf: readonly string[];
}

/** The type of the inputs: a union of all forms by name, so that a compiler error names them all. */
export function formNames(name: string, oneOf: readonly string[] = []): string {
  return oneOf.length === 0 ? name : oneOf.map((property) => formName(name, property)).join(" | ");
}

function formName(name: string, property: string): string {
  return `${name}With${upper(property)}`;
}

/**
 * The interfaces of alternative forms, and their union type. A form's own property is only in its own interface. If
 * the other forms had it as an optional property, an editor would find several properties with its name, and show the
 * documentation of none. An object spread from a part of the type may contain any of the properties. Therefore two exclusive
 * forms compile together, and only the preview checks the rule.
 * @param textOf writes a property with its comment; it is required in its own form
 */
export function formTexts(
  { name, doc, oneOf }: Forms,
  properties: readonly Property[],
  textOf: (property: Property, isForm: boolean) => string,
): string {
  const common = properties.filter((property) => !oneOf.includes(property.name));
  const base = `${name}InCommon`;
  const commonText =
    common.length === 0
      ? ""
      : `/** The properties that all forms of \`${name}\` have. */\nexport interface ${base} {\n${common.map((property) => textOf(property, false)).join("")}}\n\n`;
  const forms = properties
    .filter((property) => oneOf.includes(property.name))
    .map(
      (property) =>
        `/** The form of \`${name}\` with \`${property.name}\`. */\nexport interface ${formName(name, property.name)}${common.length === 0 ? "" : ` extends ${base}`} {\n${textOf(property, true)}}\n\n`,
    );
  return `${commonText}${forms.join("")}/** ${doc} */\nexport type ${name} = ${formNames(name, oneOf)};\n`;
}
