import type { Property } from "./shape";

/** What a program writes, in one of several forms: the interface of each, by the property that it must have. */
export interface Forms {
  /** `JobArgs`. */
  readonly name: string;
  readonly doc: string;
  readonly oneOf: readonly string[];
}

/** A function's or a class's type of what a program writes: each form by its name, so that an error names them all. */
export function formNames(name: string, oneOf: readonly string[] = []): string {
  return oneOf.length === 0 ? name : oneOf.map((property) => formName(name, property)).join(" | ");
}

function formName(name: string, property: string): string {
  return `${name}With${property.charAt(0).toUpperCase()}${property.slice(1)}`;
}

/**
 * The interfaces of what is written in one of several forms, and the type of them all. A form's own property stands in its
 * interface alone: were it optional in the others, an editor would find several properties of its name, and show nothing
 * of any of them; and what is spread from a part of the type may hold any of them. So of two forms that exclude each
 * other, both compile: the rule is left to the preview.
 * @param textOf a property with its comment; in its own form it must be given
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
      : `/** What all forms of \`${name}\` have in common. */\nexport interface ${base} {\n${common.map((property) => textOf(property, false)).join("")}}\n\n`;
  const forms = properties
    .filter((property) => oneOf.includes(property.name))
    .map(
      (property) =>
        `/** A form of \`${name}\`: with \`${property.name}\`. */\nexport interface ${formName(name, property.name)}${common.length === 0 ? "" : ` extends ${base}`} {\n${textOf(property, true)}}\n\n`,
    );
  return `${commonText}${forms.join("")}/** ${doc} */\nexport type ${name} = ${formNames(name, oneOf)};\n`;
}
