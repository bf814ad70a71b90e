import { catalog } from "../../provider/catalog";
import { type Proposed, readProposed } from "../../provider/core/bridge/proposed";
import type { Provider } from "../../provider/core/bridge/provider";
import { ownMember } from "../../provider/core/value/json";
import type { Path } from "../../provider/core/value/path";
import type { Surroundings } from "../list/discover";
import { namesOf } from "../list/names";
import type { FoundObject, Unlisted } from "../list/report";
import { type Members, type Program, type Statement, settingsOf, type Value } from "../programs/program";

/** A program that adopts existing objects. */
export interface GeneratedProgram {
  readonly program: Program;
  /** The settings that the program reads; secrets are never in the program itself. */
  readonly settings: readonly string[];
  /** Objects that could not be read, and why. */
  readonly unread: readonly Unlisted[];
}

/** The number of concurrent reads. */
const AT_ONCE = 16;

/** Reads each object, and writes a program that adopts all of them. */
export default async function generateProgram(
  found: readonly FoundObject[],
  { host, names: used }: Pick<Surroundings, "host" | "names">,
  progress: (done: number, all: number) => void = () => {},
): Promise<GeneratedProgram> {
  const names = namesOf(found, used);
  const statements: (Statement | undefined)[] = [];
  const unread: Unlisted[] = [];
  let next = 0;
  let done = 0;
  const lane = async () => {
    for (let at = next++; at < found.length; at = next++) {
      // The index is below the length.
      const object = found[at] as FoundObject;
      const name = names.get(object) ?? object.id;
      const read = await proposalOf(object, host);
      if ("why" in read) unread.push(read);
      else statements[at] = statementOf(object.type, name, read);
      progress(++done, found.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  const program = { statements: statements.filter((statement) => statement !== undefined) };
  return { program, settings: settingsOf(program).map(({ name }) => name), unread };
}

async function proposalOf({ type, id }: FoundObject, host: Provider): Promise<Proposed | Unlisted> {
  const definition = ownMember(catalog, type)?.();
  if (definition === undefined) throw new Error(`this package has no resource ${type}`);
  try {
    return await readProposed(definition, host, id);
  } catch (error) {
    // The message is written for users.
    return { of: `${type} ${id}`, why: (error as Error).message };
  }
}

function statementOf(token: string, label: string, { inputs, secrets }: Proposed): Statement {
  let own: Inside = inputs;
  for (const path of secrets) own = withSetting(own, path, [label, ...path].join(".")) as Inside;
  const written = membersOf({ adopt: true, ...own });
  // The order of the properties in the reference.
  const order = ["adopt", ...Object.keys(ownMember(catalog, token)?.().fields ?? {})];
  const names = Object.keys(written).sort((one, other) => order.indexOf(one) - order.indexOf(other));
  const args = Object.fromEntries(names.map((name) => [name, written[name] as Value]));
  return { kind: "resource", token, label, variable: undefined, args, dependsOn: [], comment: [] };
}

type Inside = Readonly<Record<string, unknown>>;

/** A value from the stack's configuration. */
class FromSetting {
  constructor(readonly name: string) {}
}

function withSetting(value: unknown, [segment, ...rest]: Path, name: string): unknown {
  if (segment === undefined) return new FromSetting(name);
  if (Array.isArray(value))
    return value.map((part, index) => (index === segment ? withSetting(part, rest, name) : part));
  const members = (value ?? {}) as Inside;
  return { ...members, [segment]: withSetting(members[segment], rest, name) };
}

function membersOf(value: object): Members {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) =>
      part === undefined || part === null ? [] : [[name, modelOf(part)]],
    ),
  );
}

function modelOf(value: unknown): Value {
  if (value instanceof FromSetting)
    return { kind: "setting", name: value.name, isSecret: true, type: "text" };
  switch (typeof value) {
    case "string":
      return { kind: "text", text: value };
    case "boolean":
      return { kind: "boolean", boolean: value };
    case "number":
    case "bigint":
      return { kind: "number", number: Number(value) };
    default:
      return Array.isArray(value)
        ? { kind: "list", elements: value.map(modelOf) }
        : { kind: "object", members: membersOf(value ?? {}) };
  }
}
