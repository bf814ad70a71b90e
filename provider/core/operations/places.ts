import { addressOf, knownAddress } from "../language/address";
import type { Kept } from "../language/placeMemory";
import type { AnyDefinition } from "../language/resource";
import type { Problem } from "../language/rules";
import type { StepInput } from "../language/stepInput";
import { PartialError } from "../state/errors";
import { parseRecords, RECORDS, recordsIn } from "../state/records";
import type { Inputs } from "../value/unknown";
import { placeKey } from "./placeKey";

type PlaceInput = Pick<StepInput, "behalf" | "connection" | "places">;

/**
 * Remembers that the program registers a resource with these inputs. Returns a problem if another resource of the program
 * names the same object in another spelling, which the server folds.
 */
export function rememberChecked(definition: AnyDefinition, input: PlaceInput, inputs: Inputs): Problem[] {
  if (input.places) input.places.hasChecked = true;
  const place = placeOfInputs(definition, input, inputs);
  if (place === undefined) return [];
  const part = Object.keys(definition.where.names ?? {}).find((key) => typeof inputs[key] === "string") ?? "";
  const name = String(inputs[part] ?? "");
  const other = input.places?.register(place, name) ?? name;
  if (other === name) return [];
  const reason = `is also managed by another resource of this program, ${JSON.stringify(other)}: the server treats both names as the same`;
  return [{ path: part, reason }];
}

/**
 * Remembers the entry that a diff compared. A refresh also compares entries that the program no longer contains, so only an
 * entry whose inputs were checked counts as registered.
 */
export function rememberCompared(
  definition: AnyDefinition,
  input: PlaceInput,
  { outputs, inputs }: { readonly outputs: Inputs; readonly inputs: Inputs },
  hasChanges: boolean,
): void {
  const records = parseRecords(outputs);
  const place = records && placeKey(definition, input.connection, records.address);
  if (records === undefined || place === undefined) return;
  const isRegistered = input.places?.isRegistered(placeOfInputs(definition, input, inputs)) === true;
  const isUnchanged = !hasChanges && records.pending === undefined;
  input.places?.compare(place, entryOf(input, outputs), isRegistered && isUnchanged);
}

/** Remembers the place that a create or an update writes. */
export async function rememberWritten<T>(
  definition: AnyDefinition,
  input: PlaceInput,
  write: Promise<T>,
  outputsOf: (result: T) => Inputs,
): Promise<T> {
  const remember = (outputs: Inputs) => {
    const records = parseRecords(outputs);
    const place = records && placeKey(definition, input.connection, records.address);
    if (place !== undefined) input.places?.write(place);
  };
  try {
    const result = await write;
    remember(outputsOf(result));
    return result;
  } catch (error) {
    // The state contains the object, and it may exist.
    if (error instanceof PartialError) remember(error.outputs);
    throw error;
  }
}

/** Why a delete must leave the object in place; undefined if it must not. */
export function reasonToKeep(definition: AnyDefinition, input: PlaceInput, outputs: Inputs) {
  const { address } = recordsIn(definition, outputs);
  const place = placeKey(definition, input.connection, address);
  const kept = place === undefined ? undefined : input.places?.remove(place, entryOf(input, outputs));
  return kept && WHY[kept];
}

const WHY: Readonly<Record<Kept, string>> = {
  "written by this command": "this command created, updated or adopted the object at the same address.",
  "managed by another entry": "another resource of this stack manages the object at the same address.",
};

function placeOfInputs(definition: AnyDefinition, { connection }: PlaceInput, inputs: Inputs) {
  return placeKey(definition, connection, knownAddress(addressOf(definition, connection, inputs)));
}

/** Distinguishes two entries of one object, if the engine names their resources or if their contents differ. */
function entryOf({ behalf }: PlaceInput, outputs: Inputs): string {
  return JSON.stringify([behalf?.object, outputs[RECORDS]]);
}
