import type { Deployment } from "../backend/checkpoint";
import type { Json, JsonMap } from "../backend/vault";
import { nameOf, typeOf } from "../deployment/urn";
import type { Console } from "./invocation";
import { printTable } from "./table";

/** Shows a stack: when it was written, its resources as a tree, its outputs. */
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

function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`;
}

/** Each resource under its parent, in the order of the state; what has no parent stands at the top. */
function tree(resources: readonly JsonMap[]): string[][] {
  const urns = new Set(resources.map(({ urn }) => urn));
  const childrenOf = Map.groupBy(resources, ({ urn, parent }) => {
    if (typeof parent === "string" && urns.has(parent)) return parent;
    // What the program does not own hangs from the stack too, as the CLI shows it.
    return urn === resources[0]?.urn ? undefined : resources[0]?.urn;
  });
  const rows = (parent: Json | undefined, padding: string, isTop: boolean): string[][] => {
    const children = childrenOf.get(parent) ?? [];
    return children.flatMap((child, index) => {
      const isLast = index === children.length - 1;
      const branch = isTop ? "" : isLast ? "└─ " : "├─ ";
      const urn = String(child.urn);
      const deeper = isTop ? "" : isLast ? "   " : "│  ";
      return [
        [`${padding}${branch}${typeOf(urn)}`, nameOf(urn)],
        ...rows(child.urn, padding + deeper, false),
      ];
    });
  };
  return rows(undefined, "", true);
}
