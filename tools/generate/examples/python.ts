import { type Bracket, formatPiece, type Piece } from "../../../cli/programs/layout";
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
import { pythonName } from "./pythonName";
import { elementShape, memberShape, type Signatures } from "./typed";

/** Writes a program in Python, for the SDK generated from the schema. */
export function inPython(program: Program, signatures: Signatures): string {
  const isConfigured = settingsOf(program).length > 0;
  const isShown = program.statements.some(
    (statement) =>
      statement.kind === "output" || (statement.kind === "resource" && statement.dependsOn.length > 0),
  );
  const used = referencedVariables(program);
  return [
    ...(isConfigured || isShown ? ["import pulumi\n"] : []),
    "import pulumi_quarterdeck as quarterdeck\n",
    ...(isConfigured ? ["\nconfig = pulumi.Config()\n"] : []),
    ...program.statements.map((statement, index) => {
      const isNext = statement.kind === "output" && program.statements[index - 1]?.kind === "output";
      const comment = statement.comment.map((line) => `# ${line}\n`).join("");
      return `${isNext ? "" : "\n"}${comment}${statementText(statement, used, signatures)}\n`;
    }),
  ].join("");
}

function statementText(statement: Statement, used: ReadonlySet<string>, signatures: Signatures): string {
  if (statement.kind === "output")
    return `pulumi.export(${JSON.stringify(statement.name)}, ${referenceText(statement.value)})`;
  const { token, variable } = statement;
  const before = variable !== undefined && used.has(variable) ? `${pythonName(variable)} = ` : "";
  const [service, type = ""] = token.split(":");
  const keywords = keywordItems(statement.args, signatures.of(token));
  const call = (name: string, items: Bracket["items"]): string =>
    before + formatPiece({ open: `${name}(`, items, close: ")", pad: "" }, before, "", "    ");
  if (statement.kind === "call") return call(`quarterdeck.${service}.${pythonName(type)}_output`, keywords);
  const needed = statement.dependsOn.map(pythonName).join(", ");
  return call(`quarterdeck.${service}.${type}`, [
    { key: "", value: JSON.stringify(statement.label) },
    ...keywords,
    ...(needed === "" ? [] : [{ key: "opts=", value: `pulumi.ResourceOptions(depends_on=[${needed}])` }]),
  ]);
}

function keywordItems(members: Members, properties: readonly Property[]): Bracket["items"] {
  return Object.entries(members).map(([name, value]) => ({
    key: `${pythonName(name)}=`,
    value: valuePiece(value, memberShape(properties, name)),
  }));
}

function valuePiece(value: ProgramValue, shape: Shape): Piece {
  switch (value.kind) {
    case "text":
      return shape.kind === "choice" ? wordText(shape, value.text) : textPiece(value.text);
    case "number":
      return String(value.number);
    case "boolean":
      return value.boolean ? "True" : "False";
    case "null":
      return "None";
    case "list":
      return listPiece(value.elements.map((element) => valuePiece(element, elementShape(shape))));
    case "object":
      return dictPiece(value.members, shape);
    case "setting": {
      const type = value.type === "texts" ? "_object" : "";
      return `config.require${value.isSecret ? "_secret" : ""}${type}(${JSON.stringify(value.name)})`;
    }
    case "reference":
      return referenceText(value);
  }
}

function listPiece(elements: readonly Piece[], open = "[", close = "]"): Piece {
  return { open, items: elements.map((value) => ({ key: "", value })), close, pad: "" };
}

/** Declared members get Python names; keys from the user or the server stay unchanged. */
function dictPiece(members: Members, shape: Shape): Piece {
  const declared = shape.kind === "object" ? shape.members : undefined;
  return {
    open: "{",
    items: Object.entries(members).map(([name, value]) => ({
      key: `${JSON.stringify(declared === undefined ? name : pythonName(name))}: `,
      value: valuePiece(value, declared === undefined ? elementShape(shape) : memberShape(declared, name)),
    })),
    close: "}",
    pad: "",
  };
}

function wordText({ type }: Extract<Shape, { kind: "choice" }>, word: string): string {
  return `quarterdeck.${type.module}.${type.name}.${pythonName(word).toUpperCase()}`;
}

/** A text that begins with a line break becomes a multi-line string; other texts of several lines are joined from a list. */
function textPiece(text: string): Piece {
  if (text.startsWith("\n")) return `"""${text.replaceAll("\\", "\\\\").replaceAll('"""', '\\"\\"\\"')}"""`;
  const lines = text.split("\n");
  if (lines.length < 3) return JSON.stringify(text);
  return listPiece(
    lines.map((line) => JSON.stringify(line)),
    '"\\n".join([',
    "])",
  );
}

function referenceText({ variable, property, orEmpty }: Reference): string {
  const apply = orEmpty ? ".apply(lambda values: values or [])" : "";
  return `${pythonName(variable)}.${pythonName(property)}${apply}`;
}
