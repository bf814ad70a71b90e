import type { Change } from "../changes";
import type { Definition } from "../define";
import { plainOf } from "../document";
import { fieldsOf } from "../fields";
import type { Json } from "../json";
import { modelOfInputs } from "../model";
import type { Record3 } from "../record";
import type { StepContext } from "./context";
import type { Unfinished } from "./finish";

/**
 * Writes the links that change, each by its own request; the names of those that are done go into `written`.
 */
export async function writeLinks(
  context: StepContext,
  work: Unfinished,
  address: Record3["address"],
  written: Set<string>,
) {
  for (const link of context.definition.links ?? []) {
    const change = work.changes.find(({ field }) => field.name === link.field);
    if (change === undefined) continue;
    await link.write(context, address, wholeChange(context.definition, work, change));
    written.add(link.field);
  }
}

/** A change somewhere inside a link's value is written as a change of the value. */
function wholeChange(
  definition: Definition,
  { record, inputs }: Unfinished,
  { path, from, to }: Change,
): { from: Json; to: Json } {
  const [name] = path;
  const isWhole = path.length === 1;
  const before = isWhole ? from : record.seen[String(name)];
  const after = isWhole ? to : modelOfInputs(definition, inputs)[String(name)];
  // A change that is being written holds no unknown values.
  return { from: plainOf((before ?? null) as Json), to: plainOf((after ?? null) as Json) };
}

/**
 * What the program has written by now. Of a link whose request failed that is what it wrote before; of one to which
 * others may add, whatever it may have written, so that none of it is ever taken for somebody else's.
 */
export function appliedSoFar(
  definition: Definition,
  { record, inputs }: Unfinished,
  unwritten: ReadonlySet<string>,
) {
  const done = Object.fromEntries(Object.entries(inputs).filter(([name]) => !unwritten.has(name)));
  const additive = fieldsOf(definition).filter(({ name, facts }) => facts.additive && unwritten.has(name));
  const both: Record<string, Json> = {};
  for (const { name } of additive) {
    const elements = [record.applied[name], inputs[name]].flatMap((list) =>
      Array.isArray(list) ? list : [],
    );
    if (elements.length > 0) both[name] = [...new Set(elements)];
  }
  return { ...done, ...only(record.applied, unwritten), ...both };
}

/** The members of these names. */
export function only<T>(values: Readonly<Record<string, T>>, names: ReadonlySet<string>): Record<string, T> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name)));
}
