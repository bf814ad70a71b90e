import type { Deployment } from "../../backend/checkpoint";
import type { Json, JsonMap } from "../../json";
import { nameOf, typeOf } from "../../state/urn";
import type { Console } from "../line/invocation";
import { printTable } from "../line/table";

/** Shows a stack: the time of its last write, its resources as a tree, and its outputs. */
export function printStack(
  console: Console,
  stack: {
    readonly name: string;
    readonly host: string;
    readonly deployment: Deployment;
    readonly outputs: JsonMap;
  },
): void {
  const { manifest, resources = [] } = stack.deployment;
  console.out(`Current stack is ${stack.name}:\n    Managed by ${stack.host}\n`);
  if (manifest.time) console.out(`    Last updated: ${String(manifest.time)}\n`);
  if (manifest.version) console.out(`    Pulumi version used: ${String(manifest.version)}\n`);
  console.out(`Current stack resources (${resources.length}):\n`);
  if (resources.length === 0) console.out("    No resources currently in this stack\n");
  else {
    printTable(console, ["TYPE", "NAME"], tree(resources), "    ");
    console.out("\n");
    printOutputs(console, stack.outputs, "table");
  }
  console.out("\nUse `pulumi stack select` to change stack; `pulumi stack ls` lists known ones\n");
}

/** Shows outputs as a table, as a single value, or as assignments for a shell. */
export function printOutputs(console: Console, outputs: JsonMap, form: "table" | "value" | "shell"): void {
  const entries = Object.entries(outputs).map(([name, value]): [string, string] => [name, stringify(value)]);
  if (form === "shell") for (const [name, value] of entries) console.out(`${name}=${shellQuote(value)}\n`);
  if (form === "value") for (const [, value] of entries) console.out(`${value}\n`);
  if (form !== "table") return;
  console.out(`Current stack outputs (${entries.length}):\n`);
  if (entries.length === 0) console.out("    No output values currently in this stack\n");
  else printTable(console, ["OUTPUT", "VALUE"], entries, "    ");
}

const stringify = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Quotes a word for a shell: in quotes if it contains spaces, otherwise with backslashes where needed. */
function shellQuote(text: string): string {
  if (text === "" || /\s/.test(text)) return `'${text.replaceAll("'", "'\\''")}'`;
  return text.replace(/[\\'"`${[|&;<>()*?!]|^~/g, "\\$&");
}

/**
 * Each resource under its parent, in the order of the state. Resources without a parent are added under the stack at the
 * end.
 */
function tree(resources: readonly JsonMap[]): string[][] {
  const urns = new Set(resources.map(({ urn }) => urn));
  const root = resources[0]?.urn;
  const hasParent = ({ parent }: JsonMap) => typeof parent === "string" && urns.has(parent);
  const ordered = [...resources.filter(hasParent), ...resources.filter((resource) => !hasParent(resource))];
  const childrenOf = Map.groupBy(ordered, (resource) => {
    if (hasParent(resource)) return resource.parent;
    return resource.urn === root ? undefined : root;
  });
  const below = (parent: Json | undefined, padding: string): string[][] => {
    const children = childrenOf.get(parent) ?? [];
    return children.flatMap((child, index) => {
      const isLast = index === children.length - 1;
      return [
        rowOf(child, padding + (isLast ? "└─ " : "├─ ")),
        ...below(child.urn, padding + (isLast ? "   " : "│  ")),
      ];
    });
  };
  return (childrenOf.get(undefined) ?? []).flatMap((stack) => [rowOf(stack, ""), ...below(stack.urn, "")]);
}

function rowOf({ urn }: JsonMap, before: string): string[] {
  return [before + typeOf(String(urn)), nameOf(String(urn))];
}
