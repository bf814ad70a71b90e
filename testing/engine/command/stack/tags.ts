import { readTextIfPresent, removeObject, writeObject } from "../../backend/files";
import { Refusal } from "../../refusal";
import { type Command, type Invocation, printJson } from "../line/invocation";
import { printTable } from "../line/table";
import { Workspace } from "../workspace/workspace";

const STACK = { stack: ["text", "s"] } as const;

/** Commands for a stack's tags. */
export const tagCommands: readonly Command[] = [
  { name: "stack tag ls", flags: { ...STACK, json: ["boolean", "j"] }, args: [0, 0], run: list },
  { name: "stack tag get", flags: STACK, args: [1, 1], run: get },
  {
    name: "stack tag set",
    flags: STACK,
    args: [2, 2],
    run: (invocation) => change(invocation, invocation.args[1]),
  },
  { name: "stack tag rm", flags: STACK, args: [1, 1], run: (invocation) => change(invocation, undefined) },
];

type Tags = Readonly<Record<string, string>>;

function list(invocation: Invocation): void {
  const { tags } = open(invocation);
  if (invocation.flags.isSet("json")) printJson(invocation.console, tags);
  else printTable(invocation.console, ["NAME", "VALUE"], Object.entries(tags));
}

function get(invocation: Invocation): void {
  const { tags, stack } = open(invocation);
  const [name = ""] = invocation.args;
  const value = tags[name];
  if (value === undefined) throw new Refusal(`stack tag '${name}' not found for stack '${stack}'`);
  invocation.console.out(`${value}\n`);
}

function change(invocation: Invocation, value: string | undefined): void {
  const { tags, path } = open(invocation);
  const [name = ""] = invocation.args;
  const { [name]: _, ...others } = tags;
  const changed: Tags = value === undefined ? others : { ...others, [name]: value };
  if (Object.keys(changed).length === 0) removeObject(path);
  else writeObject(path, JSON.stringify({ version: 1, tags: changed }));
}

function open(invocation: Invocation): {
  readonly tags: Tags;
  readonly path: string;
  readonly stack: string;
} {
  const workspace = new Workspace(invocation);
  const reference = workspace.stack();
  const { tags: path } = workspace.store.paths(reference);
  const { tags = {} }: { tags?: Tags } = JSON.parse(readTextIfPresent(path) ?? "{}");
  return { tags, path, stack: workspace.nameOf(reference) };
}
