import type { Movement } from "../compare/movements";
import { writtenPath } from "../compare/writtenPath";
import { presentable } from "../http/errors";
import type { AnyDefinition } from "../language/resource";
import { type DriftedField, driftedFields } from "../state/conflict";
import { parseRecords } from "../state/records";
import { secrecyOf } from "../state/redaction";
import { isKeptSecret } from "../state/secrets";
import { stepsOf } from "../steps";
import { asideOf } from "../value/aside";
import { equalJson, formatJson, isObject, type Json } from "../value/json";
import { formatPath, isWithinPath } from "../value/path";
import type { Inputs } from "../value/unknown";
import type { Bag } from "./asideProperty";
import { Call, type Host } from "./call";
import { fromEngine } from "./engineValues";
import { withRecordsRead } from "./records";

/** A resource as a state holds it, its secrets in plain. */
export interface Held {
  readonly id: string;
  readonly outputs: Bag;
  /** The paths that the program ignores, as far as the state tells. */
  readonly ignored: readonly string[];
}

/** A field that is not as the state has it. */
export interface Drifted extends DriftedField {
  /** Whether the program ignores what others do there. */
  readonly isIgnored: boolean;
}

/** What became of a resource: just what a refresh of it would find. */
export type Verdict =
  | { readonly verdict: "in sync" | "missing" }
  | { readonly verdict: "drifted"; readonly fields: readonly Drifted[] }
  | { readonly verdict: "unreadable"; readonly why: string };

/** Compares a resource with its service, and changes nothing. */
export async function verdictOf(definition: AnyDefinition, host: Host, held: Held): Promise<Verdict> {
  let call: Call | undefined;
  try {
    const outputs = fromEngine(withRecordsRead(definition, held.outputs));
    const inputs = parseRecords(outputs)?.applied ?? outputs;
    call = new Call(definition, { id: held.id, inputs, outputs }, host);
    const found = await stepsOf(definition).read(call.named.readInput(), held.id, outputs);
    if (found === undefined) return { verdict: "missing" };
    const secrecy = secrecyOf(definition, inputs, call.redactor);
    const moved = found.moved ?? [];
    const ignored = [...held.ignored, ...(asideOf(inputs).ignored ?? [])];
    const isIgnored = (movement: Movement) => {
      const own = formatPath(writtenPath(definition, inputs, movement.path));
      return ignored.some((path) => isWithinPath(own, path));
    };
    const fields = [
      ...[false, true].flatMap((asked) =>
        driftedFields(
          moved.filter((movement) => isIgnored(movement) === asked),
          secrecy,
        ).map((field) => ({ ...field, isIgnored: asked })),
      ),
      ...othersOf(definition, inputs, outputs, found.outputs, moved).map((field) => ({
        ...field,
        was: secrecy.mask(field.was),
        is: secrecy.mask(field.is),
        isIgnored: false,
      })),
    ];
    return fields.length === 0 ? { verdict: "in sync" } : { verdict: "drifted", fields };
  } catch (error) {
    const { message } = presentable(error);
    return { verdict: "unreadable", why: call?.redactor.mask(message) ?? message };
  }
}

/** The outputs that are others now, and of which no movement tells: what the service itself sets. */
function othersOf(
  definition: AnyDefinition,
  inputs: Inputs,
  before: Inputs,
  now: { readonly [name: string]: Json },
  moved: readonly Movement[],
): DriftedField[] {
  const told = new Set(moved.map(({ path: [name] }) => name));
  const names = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...names]
    .filter((name) => !name.startsWith("__") && !told.has(name))
    .flatMap((name) => {
      const [was, is] = [before[name] as Json | undefined, now[name]];
      if (equalJson(withoutNull(was), withoutNull(is))) return [];
      const text = (value: Json | undefined) => {
        if (value === undefined || value === null) return "(none)";
        return isKeptSecret(definition, inputs, [name], value) ? "[secret]" : formatJson(value);
      };
      return [{ field: name, was: text(was), is: text(is) }];
    });
}

/** A value as an engine keeps it: without null in objects, and with integers beyond a double as text. */
function withoutNull(value: Json | undefined): Json | undefined {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map((part) => withoutNull(part) ?? null);
  if (!isObject(value)) return value ?? undefined;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNull(member) ?? null]));
}
