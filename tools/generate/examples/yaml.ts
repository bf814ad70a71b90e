import { Document, Pair, Scalar, YAMLMap } from "yaml";
import {
  type Members,
  type Program,
  type ProgramValue,
  type Setting,
  settingsOf,
} from "../../../cli/programs/program";
import { PACKAGE } from "../schemaTypes";

/** Writes a program in Pulumi's YAML: the contents of Pulumi.yaml except the project's name and runtime. */
export function inYaml(program: Program): string {
  const keys = keysOf(program);
  const sections = {
    config: settingsOf(program).map(
      (setting): Entry => ({
        key: setting.name,
        value: declaration(setting),
        comment: [],
      }),
    ),
    variables: [] as Entry[],
    resources: [] as Entry[],
    outputs: [] as Entry[],
  };
  for (const [index, statement] of program.statements.entries()) {
    const { comment } = statement;
    const key = keys.of(index);
    if (statement.kind === "output")
      sections.outputs.push({ key: statement.name, value: plainOf(statement.value, keys), comment });
    else if (statement.kind === "call") {
      const call = { function: `${PACKAGE}:${statement.token}`, arguments: membersOf(statement.args, keys) };
      sections.variables.push({ key, value: { "fn::invoke": call }, comment });
    } else {
      const { token, label, args, dependsOn } = statement;
      const needed = dependsOn.map((variable) => `\${${keys.named(variable)}}`);
      const value = {
        type: `${PACKAGE}:${token}`,
        ...(key !== label && { name: label }),
        ...(Object.keys(args).length > 0 && { properties: membersOf(args, keys) }),
        ...(needed.length > 0 && { options: { dependsOn: needed } }),
      };
      sections.resources.push({ key, value, comment });
    }
  }
  return textOf(Object.entries(sections).filter(([, entries]) => entries.length > 0));
}

interface Entry {
  readonly key: string;
  readonly value: unknown;
  readonly comment: readonly string[];
}

function textOf(sections: readonly (readonly [string, readonly Entry[]])[]): string {
  const document = new Document({});
  for (const [title, entries] of sections) {
    const section = new YAMLMap<Scalar, unknown>(document.schema);
    for (const { key, value, comment } of entries) {
      const name = new Scalar(key);
      if (comment.length > 0) name.commentBefore = comment.map((line) => ` ${line}`).join("\n");
      section.add(new Pair(name, document.createNode(value)));
    }
    document.set(title, section);
  }
  return document.toString({ lineWidth: 0 });
}

/** The key of each statement: references need keys that are unique in the program. */
interface Keys {
  readonly of: (index: number) => string;
  readonly named: (variable: string) => string;
}

/** A resource's key is its label if that is a valid and unique identifier. */
function keysOf(program: Program): Keys {
  const taken = new Set(settingsOf(program).map(({ name }) => name));
  const keys = program.statements.map((statement) => {
    if (statement.kind === "output") return "";
    const own =
      statement.kind === "resource" && /^[A-Za-z]\w*$/.test(statement.label) ? [statement.label] : [];
    const type = statement.token.split(":")[1] ?? "";
    const words = [...own, statement.variable ?? lower(type), lower(type)];
    const key = words.find((word) => !taken.has(word));
    if (key === undefined) throw new TypeError(`two things are called ${words.join(" or ")}`);
    taken.add(key);
    return key;
  });
  return {
    of: (index) => keys[index] ?? "",
    named: (variable) => {
      const at = program.statements.findIndex((one) => one.kind !== "output" && one.variable === variable);
      const key = keys[at];
      if (key === undefined) throw new TypeError(`nothing is called ${variable}`);
      return key;
    },
  };
}

function lower(type: string): string {
  return type.charAt(0).toLowerCase() + type.slice(1);
}

function declaration({ isSecret, type }: Setting): object {
  return {
    ...(type === "text" ? { type: "string" } : { type: "array", items: { type: "string" } }),
    ...(isSecret && { secret: true }),
  };
}

/** A text without the line break and the indentation that lay it out in a program. */
function blockOf(text: string): string {
  if (!text.startsWith("\n")) return text;
  const lines = text
    .replace(/^\n/, "")
    .replace(/\n[ \t]*$/, "\n")
    .split("\n");
  const depths = lines.filter((line) => line !== "").map((line) => line.length - line.trimStart().length);
  return lines.map((line) => line.slice(Math.min(...depths))).join("\n");
}

function membersOf(members: Members, keys: Keys): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).map(([name, value]) => [name, plainOf(value, keys)]));
}

function plainOf(value: ProgramValue, keys: Keys): unknown {
  switch (value.kind) {
    case "text":
      // An escaped `${` that does not begin a reference.
      return blockOf(value.text).replaceAll("${", () => "$${");
    case "number":
      return value.number;
    case "boolean":
      return value.boolean;
    case "null":
      return null;
    case "list":
      return value.elements.map((element) => plainOf(element, keys));
    case "object":
      return membersOf(value.members, keys);
    case "setting":
      return `\${${value.name}}`;
    case "reference":
      return `\${${keys.named(value.variable)}.${value.property}}`;
  }
}
