import type { AnyDefinition } from "../language/resource";
import { besideText, isPacked, packed, unpacked } from "../state/packing";
import { parseRecords, RECORDS } from "../state/records";
import { isProvenPlain, type Public, publicOf, publicOfText } from "../state/secretCopies";
import type { Json } from "../value/json";
import type { Path } from "../value/path";
import type { Inputs } from "../value/unknown";
import type { Bag } from "./asideProperty";
import { fromEngine, MARK, SECRET, toEngine } from "./engineValues";

/** The outputs of a resource that a state holds. */
export interface State {
  /** As the engine handed them over. */
  readonly bag: Bag;
  /** As the core knows them, their records unpacked. */
  readonly values: Inputs;
}

/**
 * The outputs of a resource as an engine handed them over, and as the core knows them.
 * @throws UnreadableRecordsError as `withRecordsRead` does
 */
export function stateOf(definition: AnyDefinition, bag: Bag): State {
  return { bag, values: fromEngine(withRecordsRead(definition, bag)) };
}

/**
 * The outputs of a resource as an engine handed them over, with its records as the core reads them.
 * @throws UnreadableRecordsError where they do not belong to the outputs beside them
 */
export function withRecordsRead(definition: AnyDefinition, state: Bag): Bag {
  const text = state[RECORDS];
  if (typeof text !== "string" || !isPacked(text)) return state;
  return { ...state, [RECORDS]: unpacked(text, state, dictionariesOf(definition)) };
}

/**
 * The outputs of a resource as an engine takes them: what `isSecret` names is marked, and the records are packed. They are
 * marked, too, unless it is proven that they hold no secret. Where nothing moved, they stay as the state has them, in
 * whichever form that is: nothing is to be seen as a change.
 * @param before the outputs as the engine handed them over, where it did
 */
export function outputsToEngine(
  definition: AnyDefinition,
  { [RECORDS]: text, ...outputs }: Bag,
  isSecret: (path: Path, value: unknown) => boolean,
  before?: State,
): Record<string, unknown> {
  let hasSecret = false;
  const shown = toEngine(outputs, (path, value) => {
    const isHere = isSecret(path, value);
    hasSecret ||= isHere;
    return isHere;
  });
  if (typeof text !== "string") return shown;
  const kept = before && isUnmoved(text, outputs, before) ? before.bag[RECORDS] : undefined;
  const own = kept ?? packed(text, outputs, dictionariesOf(definition));
  const records = hasSecret || own === text ? undefined : parseRecords({ [RECORDS]: text });
  const isPlain = records !== undefined && isProvenPlain(definition, records, knownOf(definition, outputs));
  return { ...shown, [RECORDS]: isPlain ? own : { [MARK]: SECRET, value: own } };
}

/** Whether the state has these records, beside these outputs. */
function isUnmoved(text: string, outputs: Bag, { bag, values }: State): boolean {
  return values[RECORDS] === text && besideText(bag) === besideText(outputs);
}

/** What anybody may read of a resource whose outputs are all plain. */
function knownOf(definition: AnyDefinition, outputs: Bag): readonly Public[] {
  // Outputs that go to an engine are JSON.
  return [publicOf(outputs as { [name: string]: Json }), ...dictionariesOf(definition).map(publicOfText)];
}

function dictionariesOf({ service }: AnyDefinition): readonly string[] {
  return service.dictionaries?.() ?? [];
}
