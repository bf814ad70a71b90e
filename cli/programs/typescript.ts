import { formatPiece, type Piece } from "./layout";
import {
  type Component,
  type Members,
  type Program,
  type ProgramValue,
  type Reference,
  type ResourceStatement,
  type Statement,
  settingsOf,
} from "./program";

/** Writes a program in TypeScript. */
export function inTypeScript(program: Program): string {
  const isConfigured = settingsOf(program).length > 0;
  const components = program.components ?? [];
  return [
    ...(isConfigured || components.length > 0 ? ['import * as pulumi from "@pulumi/pulumi";\n'] : []),
    'import * as quarterdeck from "pulumi-quarterdeck";\n',
    ...(isConfigured ? ["\nconst config = new pulumi.Config();\n"] : []),
    ...components.map((component) => `\n${componentText(component)}\n`),
    ...program.statements.map((statement, index) => {
      const isNext = statement.kind === "output" && program.statements[index - 1]?.kind === "output";
      const comment = statement.comment.map((line) => `// ${line}\n`).join("");
      return `${isNext ? "" : "\n"}${comment}${statementText(statement)}\n`;
    }),
  ].join("");
}

function componentText({ type, label, variable, parent }: Component): string {
  const rest = parent === undefined ? "" : `, {}, { parent: ${parent} }`;
  return `const ${variable} = new pulumi.ComponentResource(${JSON.stringify(type)}, ${JSON.stringify(label)}${rest});`;
}

function statementText(statement: Statement): string {
  if (statement.kind === "output")
    return `export const ${statement.name} = ${referenceText(statement.value)};`;
  const variable = statement.variable === undefined ? "" : `const ${statement.variable} = `;
  const name = `quarterdeck.${statement.token.replace(":", ".")}`;
  const args = objectPiece(statement.args);
  if (statement.kind === "call") return `${variable}${callText(`${name}Output(`, variable, args, ")")};`;
  const first = `new ${name}(${JSON.stringify(statement.label)}`;
  const options = optionsText(statement);
  const isBare = Object.keys(statement.args).length === 0 && options === "";
  return `${variable}${isBare ? `${first})` : callText(`${first}, `, variable, args, `${options})`)};`;
}

function optionsText({ dependsOn, parent }: ResourceStatement): string {
  const options = [
    ...(parent === undefined ? [] : [`parent: ${parent}`]),
    ...(dependsOn.length > 0 ? [`dependsOn: [${dependsOn.join(", ")}]`] : []),
  ];
  return options.length > 0 ? `, { ${options.join(", ")} }` : "";
}

function callText(open: string, before: string, args: Piece, close: string): string {
  return open + formatPiece(args, `${before}${open}${close};`, "", "  ") + close;
}

function objectPiece(members: Members): Piece {
  return {
    open: "{",
    items: Object.entries(members).map(([name, value]) => ({
      key: `${keyText(name)}: `,
      value: valuePiece(value),
    })),
    close: "}",
    pad: " ",
  };
}

function keyText(name: string): string {
  // Only a computed key sets a property of this name; the others set the prototype.
  if (name === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

function listPiece(elements: readonly Piece[], close = "]"): Piece {
  return { open: "[", items: elements.map((value) => ({ key: "", value })), close, pad: "" };
}

function valuePiece(value: ProgramValue): Piece {
  switch (value.kind) {
    case "text":
      return textPiece(value.text);
    case "number":
      return String(value.number);
    case "boolean":
      return String(value.boolean);
    case "null":
      return "null";
    case "list":
      return listPiece(value.elements.map(valuePiece));
    case "object":
      return objectPiece(value.members);
    case "setting": {
      const type = { text: "", texts: "Object<string[]>", map: "Object<Record<string, string>>" }[value.type];
      return `config.require${value.isSecret ? "Secret" : ""}${type}(${JSON.stringify(value.name)})`;
    }
    case "reference":
      return referenceText(value);
  }
}

/**
 * A text that begins with a line break becomes a template literal, which has no carriage returns; other texts of several lines
 * are joined from a list.
 */
function textPiece(text: string): Piece {
  if (text.startsWith("\n") && !text.includes("\r")) return `\`${text.replace(/[`\\]|\$\{/g, "\\$&")}\``;
  const lines = text.split("\n");
  if (lines.length < 3) return JSON.stringify(text);
  return listPiece(
    lines.map((line) => JSON.stringify(line)),
    '].join("\\n")',
  );
}

function referenceText({ variable, property, orEmpty }: Reference): string {
  return `${variable}.${property}${orEmpty ? ".apply((list) => list ?? [])" : ""}`;
}
