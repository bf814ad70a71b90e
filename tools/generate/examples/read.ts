import * as ts from "typescript";
import type {
  Members,
  Program,
  ProgramValue,
  Reference,
  ResourceStatement,
  Setting,
  Statement,
} from "../../../cli/programs/program";

/** A part of a program that the model does not support, because not every language can express it. */
export class Unsayable extends Error {}

/**
 * Parses a program of the reference, which is written in TypeScript.
 * @throws Unsayable that names the unsupported part
 */
export function readProgram(text: string): Program {
  const file = ts.createSourceFile("example.ts", text, ts.ScriptTarget.Latest, true);
  return { statements: file.statements.flatMap(statementsIn) };
}

function statementsIn(node: ts.Statement): Statement[] {
  if (ts.isImportDeclaration(node)) return [];
  const comment = commentOf(node);
  if (ts.isExpressionStatement(node)) return [{ ...made(node.expression, undefined), comment }];
  if (!ts.isVariableStatement(node)) return unsayable(node);
  const [declaration] = node.declarationList.declarations;
  const { name, initializer } = declaration ?? unsayable(node);
  if (!ts.isIdentifier(name) || initializer === undefined) return unsayable(node);
  if (isExported(node)) return [{ kind: "output", name: name.text, value: reference(initializer), comment }];
  if (initializer.getText() === "new pulumi.Config()") return [];
  if (ts.isNewExpression(initializer)) return [{ ...made(initializer, name.text), comment }];
  return [{ ...asked(initializer, name.text), comment }];
}

function isExported(node: ts.VariableStatement): boolean {
  return node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function commentOf(node: ts.Node): string[] {
  const whole = node.getSourceFile().text;
  return (ts.getLeadingCommentRanges(whole, node.getFullStart()) ?? []).map(({ pos, end }) =>
    whole.slice(pos, end).replace(/^\/\/ ?/, ""),
  );
}

function made(node: ts.Expression, variable: string | undefined): ResourceStatement {
  if (!ts.isNewExpression(node)) return unsayable(node);
  const [label, args, options] = node.arguments ?? [];
  if (label === undefined || !ts.isStringLiteral(label)) return unsayable(node);
  return {
    kind: "resource",
    token: tokenOf(node.expression),
    label: label.text,
    variable,
    args: args === undefined ? {} : membersOf(args),
    dependsOn: options === undefined ? [] : dependenciesIn(options),
  };
}

function asked(node: ts.Expression, variable: string) {
  if (!ts.isCallExpression(node)) return unsayable(node);
  const token = tokenOf(node.expression);
  if (!token.endsWith("Output")) return unsayable(node);
  const [args] = node.arguments;
  return {
    kind: "call",
    token: token.slice(0, -"Output".length),
    variable,
    args: args === undefined ? {} : membersOf(args),
  } as const;
}

/** The token of a name: `scheduler:Job` for `quarterdeck.scheduler.Job`. */
function tokenOf(node: ts.Expression): string {
  const [, service, type] = /^quarterdeck\.(\w+)\.(\w+)$/.exec(node.getText()) ?? unsayable(node);
  return `${service}:${type}`;
}

function dependenciesIn(node: ts.Expression): string[] {
  const [, names] = /^\{ dependsOn: \[([\w, ]+)\] \}$/.exec(node.getText()) ?? unsayable(node);
  return (names ?? "").split(", ");
}

function membersOf(node: ts.Expression): Members {
  if (!ts.isObjectLiteralExpression(node)) return unsayable(node);
  return Object.fromEntries(
    node.properties.map((property) => {
      if (!ts.isPropertyAssignment(property)) return unsayable(property);
      const { name, initializer } = property;
      if (!ts.isIdentifier(name) && !ts.isStringLiteral(name)) return unsayable(property);
      return [name.text, readValue(initializer)];
    }),
  );
}

function readValue(node: ts.Expression): ProgramValue {
  if (ts.isStringLiteralLike(node)) return { kind: "text", text: node.text };
  if (ts.isNumericLiteral(node)) return { kind: "number", number: Number(node.text) };
  if (node.kind === ts.SyntaxKind.TrueKeyword) return { kind: "boolean", boolean: true };
  if (node.kind === ts.SyntaxKind.FalseKeyword) return { kind: "boolean", boolean: false };
  if (ts.isArrayLiteralExpression(node)) return { kind: "list", elements: node.elements.map(readValue) };
  if (ts.isObjectLiteralExpression(node)) return { kind: "object", members: membersOf(node) };
  return setting(node) ?? lines(node) ?? reference(node);
}

function setting(node: ts.Expression): Setting | undefined {
  const call = /^config\.require(Secret)?(Object<string\[\]>)?\("(\w+)"\)$/.exec(node.getText());
  if (call === null) return undefined;
  const [, secret, object, name = ""] = call;
  return {
    kind: "setting",
    name,
    isSecret: secret !== undefined,
    type: object === undefined ? "text" : "texts",
  };
}

/** Parses a joined list of lines. */
function lines(node: ts.Expression): ProgramValue | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { expression: list, name } = node.expression;
  if (name.text !== "join" || !ts.isArrayLiteralExpression(list)) return undefined;
  if (node.arguments[0]?.getText() !== '"\\n"') return unsayable(node);
  const texts = list.elements.map((line) => (ts.isStringLiteral(line) ? line.text : unsayable(line)));
  return { kind: "text", text: texts.join("\n") };
}

function reference(node: ts.Expression): Reference {
  const [, variable = "", property = "", orEmpty] =
    /^(\w+)\.(\w+)(\.apply\(\((\w+)\) => \4 \?\? \[\]\))?$/.exec(node.getText()) ?? unsayable(node);
  return { kind: "reference", variable, property, orEmpty: orEmpty !== undefined };
}

function unsayable(node: ts.Node): never {
  throw new Unsayable(`there is no model of: ${node.getText()}`);
}
