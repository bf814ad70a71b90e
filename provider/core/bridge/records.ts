import type { AnyDefinition } from "../language/resource";
import { besideText, isPacked, pack, unpack } from "../state/packing";
import { parseRecords, RECORDS } from "../state/records";
import { isProvenPlain, type Public, publicOf, publicOfText } from "../state/secretCopies";
import type { Json } from "../value/json";
import type { ProgramInputs } from "../value/programInputs";
import { type Bag, fromEngine, type IsSecret, MARK, SECRET, toEngine } from "./engineValues";

/** The outputs of a resource in a state. */
export interface State {
  /** As the engine sent them. */
  readonly bag: Bag;
  /** As the core uses them, with unpacked records. */
  readonly values: ProgramInputs;
}

/**
 * The outputs of a resource as an engine sent them, and as the core uses them.
 * @throws UnreadableRecordsError as `withRecordsRead` does
 */
export function stateOf(definition: AnyDefinition, bag: Bag): State {
  return { bag, values: fromEngine(withRecordsRead(definition, bag)) };
}

/**
 * The outputs of a resource as an engine sent them, with its records unpacked for the core.
 * @throws UnreadableRecordsError if the records do not belong to the other outputs
 */
export function withRecordsRead(definition: AnyDefinition, state: Bag): Bag {
  const text = state[RECORDS];
  if (typeof text !== "string" || !isPacked(text)) return state;
  return { ...state, [RECORDS]: unpack(text, state, dictionariesOf(definition)) };
}

/**
 * Converts the outputs of a resource for an engine: marks the values that `isSecret` selects, and packs the records. Marks
 * the records as secret too, unless they provably contain no secret. Unchanged records remain in the form that the state
 * has, so that the engine sees no change.
 * @param before the outputs as the engine sent them, if it did
 */
export function outputsToEngine(
  definition: AnyDefinition,
  { [RECORDS]: text, ...outputs }: Bag,
  isSecret: IsSecret,
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
  const own = kept ?? pack(text, outputs, dictionariesOf(definition));
  const records = hasSecret || own === text ? undefined : parseRecords({ [RECORDS]: text });
  const isPlain =
    records !== undefined && isProvenPlain(definition, records, publicValuesOf(definition, outputs));
  return { ...shown, [RECORDS]: isPlain ? own : { [MARK]: SECRET, value: own } };
}

/** True if the state has these records together with these outputs. */
function isUnmoved(text: string, outputs: Bag, { bag, values }: State): boolean {
  return values[RECORDS] === text && besideText(bag) === besideText(outputs);
}

/** The names and values that anyone may read in a resource whose outputs are all plain. */
function publicValuesOf(definition: AnyDefinition, outputs: Bag): readonly Public[] {
  // Outputs for an engine are JSON.
  return [publicOf(outputs as { [name: string]: Json }), ...dictionariesOf(definition).map(publicOfText)];
}

function dictionariesOf({ service }: AnyDefinition): readonly string[] {
  return service.dictionaries?.() ?? [];
}
