import { formatPiece, type Piece } from "../../../cli/programs/layout";
import {
  type Members,
  type Program,
  type ProgramValue,
  type Reference,
  referencedVariables,
  type Statement,
  settingsOf,
} from "../../../cli/programs/program";
import type { Property, Shape } from "../shape";
import { goWord, upper } from "./goNames";
import { elementShape, memberShape, type Signatures } from "./typed";

const INDENT = "\t\t";

/**
 * Writes a program in Go, for the SDK generated from the schema.
 * @param sdk the import path of that SDK
 */
export function inGo(program: Program, signatures: Signatures, sdk: string): string {
  const services = new Set(
    program.statements.flatMap((statement) =>
      statement.kind === "output" ? [] : [statement.token.split(":")[0] ?? ""],
    ),
  );
  const settings = settingsOf(program);
  const imports = [
    "github.com/pulumi/pulumi/sdk/v3/go/pulumi",
    ...(settings.length > 0 ? ["github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"] : []),
    ...[...services].sort().map((service) => `${sdk}/${service}`),
  ];
  return [
    "package main\n\nimport (\n",
    ...imports.map((path) => `\t${JSON.stringify(path)}\n`),
    ")\n\nfunc main() {\n\tpulumi.Run(func(ctx *pulumi.Context) error {\n",
    ...(settings.length > 0 ? [`${INDENT}settings := config.New(ctx, "")\n`] : []),
    ...settings.filter(({ type }) => type === "texts").map(textsRead),
    ...statementTexts(program, signatures),
    `${INDENT}return nil\n\t})\n}\n`,
  ].join("");
}

/** Reads a list into a variable; the values made from it carry the secret mark. */
function textsRead({ name, isSecret }: { readonly name: string; readonly isSecret: boolean }): string {
  const read = isSecret ? "RequireSecretObject" : "RequireObject";
  return `${INDENT}var ${name} []string\n${INDENT}settings.${read}(${JSON.stringify(name)}, &${name})\n`;
}

function statementTexts(program: Program, signatures: Signatures): string[] {
  const used = referencedVariables(program);
  // Results of functions are read with methods, outputs of resources with fields.
  const answers = new Set(
    program.statements.flatMap((statement) => (statement.kind === "call" ? [statement.variable] : [])),
  );
  let isErrKnown = false;
  return program.statements.map((statement) => {
    const comment = statement.comment.map((line) => `${INDENT}// ${line}\n`).join("");
    if (statement.kind === "output") {
      const value = referenceText(statement.value, answers);
      return `${comment}${INDENT}ctx.Export(${JSON.stringify(statement.name)}, ${value})\n`;
    }
    if (statement.kind === "call") {
      const before = `${statement.variable} := `;
      return `${comment}${INDENT}${before}${callText(statement, signatures, answers, before)}\n`;
    }
    const variable =
      statement.variable !== undefined && used.has(statement.variable) ? statement.variable : "_";
    const before = `${variable}, err ${variable === "_" && isErrKnown ? "=" : ":="} `;
    isErrKnown = true;
    const made = callText(statement, signatures, answers, before);
    return `${comment}${INDENT}${before}${made}\n${INDENT}if err != nil {\n${INDENT}\treturn err\n${INDENT}}\n`;
  });
}

function callText(
  statement: Exclude<Statement, { kind: "output" }>,
  signatures: Signatures,
  answers: ReadonlySet<string>,
  before: string,
): string {
  const [service = "", type = ""] = statement.token.split(":");
  const isCall = statement.kind === "call";
  const name = isCall ? goFunction(service, type, signatures) : type;
  const open = isCall
    ? `${service}.${name}(ctx, ${service}.${name}Args`
    : `${service}.New${name}(ctx, ${JSON.stringify(statement.label)}, &${service}.${name}Args`;
  const needed = isCall ? "" : statement.dependsOn.join(", ");
  const close = needed === "" ? ")" : `, pulumi.DependsOn([]pulumi.Resource{${needed}}))`;
  const args = structPiece("", statement.args, signatures.of(statement.token), answers);
  return `${open}${formatPiece(args, before + open, INDENT, "\t")}${close}`;
}

/**
 * The name of a function in the Go SDK. A function that reads a resource of the package is called `Lookup…`, because the
 * resource's own `Get` adopts one by its ID.
 */
function goFunction(service: string, name: string, { isResource }: Signatures): string {
  const resource = /^get(\w+)$/.exec(name)?.[1];
  const isLookup = resource !== undefined && isResource(`${service}:${resource}`);
  return `${isLookup ? `Lookup${resource}` : upper(name)}Output`;
}

function structPiece(
  type: string,
  members: Members,
  properties: readonly Property[],
  answers: ReadonlySet<string>,
): Piece {
  return {
    open: `${type}{`,
    items: Object.entries(members).map(([name, value]) => ({
      key: `${upper(name)}: `,
      value: valuePiece(value, memberShape(properties, name), answers),
    })),
    close: "}",
    pad: "",
    isTall: Object.keys(members).length > 0,
    isAligned: true,
  };
}

function valuePiece(value: ProgramValue, shape: Shape, answers: ReadonlySet<string>): Piece {
  switch (value.kind) {
    case "text":
      return shape.kind === "choice" ? goWord(shape, value.text) : `pulumi.String(${textText(value.text)})`;
    case "number":
      return `pulumi.${shape.kind === "number" ? "Float64" : "Int"}(${value.number})`;
    case "boolean":
      return `pulumi.Bool(${value.boolean})`;
    case "null":
      return "nil";
    case "list":
      return {
        open: `${containerOf(shape, "Array")}{`,
        items: value.elements.map((element) => ({
          key: "",
          value: valuePiece(element, elementShape(shape), answers),
        })),
        close: "}",
        pad: "",
      };
    case "object": {
      if (shape.kind === "object")
        return structPiece(
          `${shape.type.module}.${shape.type.name}Args`,
          value.members,
          shape.members,
          answers,
        );
      return {
        open: `${containerOf(shape, "Map")}{`,
        items: Object.entries(value.members).map(([name, member]) => ({
          key: `${JSON.stringify(name)}: `,
          value: valuePiece(member, elementShape(shape), answers),
        })),
        close: "}",
        pad: "",
        isTall: true,
        isAligned: true,
      };
    }
    case "setting": {
      const { name, isSecret } = value;
      if (value.type === "text")
        return `${isSecret ? "settings.RequireSecret" : "pulumi.String(settings.Require"}(${JSON.stringify(name)})${isSecret ? "" : ")"}`;
      const list = `pulumi.ToStringArray(${name})`;
      return isSecret ? `pulumi.ToSecret(${list}).(pulumi.StringArrayOutput)` : list;
    }
    case "reference":
      return referenceText(value, answers);
  }
}

/** The type of a list or a map with elements of this shape: `pulumi.StringArray`, `scheduler.JobTaskGroupArray`. */
function containerOf(shape: Shape, container: "Array" | "Map"): string {
  const of = elementShape(shape);
  switch (of.kind) {
    case "text":
      return `pulumi.String${container}`;
    case "integer":
      return `pulumi.Int${container}`;
    case "number":
      return `pulumi.Float64${container}`;
    case "boolean":
      return `pulumi.Bool${container}`;
    case "object":
    case "choice":
      return `${of.type.module}.${of.type.name}${container}`;
    case "list":
      return `${containerOf(of, "Array")}${container}`;
    case "map":
      return `${containerOf(of, "Map")}${container}`;
    default:
      return `pulumi.${container}`;
  }
}

/** A text that begins with a line break becomes a raw string; other texts of several lines are concatenated. */
function textText(text: string): string {
  if (text.startsWith("\n") && !text.includes("`")) return `\`${text}\``;
  const lines = text.split("\n");
  if (lines.length < 3) return JSON.stringify(text);
  const ends = lines.map((line, index) => JSON.stringify(index < lines.length - 1 ? `${line}\n` : line));
  return ends.join(` +\n${INDENT}\t\t`);
}

/** In Go a missing list is empty, so `orEmpty` needs no code. */
function referenceText({ variable, property }: Reference, answers: ReadonlySet<string>): string {
  return `${variable}.${upper(property)}${answers.has(variable) ? "()" : ""}`;
}
