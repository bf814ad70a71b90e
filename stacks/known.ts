import { catalog } from "../provider/catalog";
import { withRecordsRead } from "../provider/core/bridge/records";
import { RECORDS, UnreadableRecordsError } from "../provider/core/state/records";
import { ownMember } from "../provider/core/value/json";
import { resourcesIn, type StackResource, tokenOf } from "./deployment";
import { type RecordsTold, recordsTold } from "./told";

/** What a state knows of a resource. */
export interface Known {
  readonly urn: string;
  /** `scheduler:Job`. */
  readonly type: string;
  readonly name: string;
  readonly id: string;
  /** Its records in words; none where it was only adopted by an older version, or imported by hand. */
  readonly records: RecordsTold | undefined;
  /** Why there are none, where there should be. */
  readonly why?: string;
  /** How many bytes the records have in the state, and unpacked. */
  readonly size: { readonly packed: number; readonly whole: number };
}

/**
 * What a state knows of this package's resources; of some of them, by their names, ids or URNs.
 * @throws UnreadableState where the text is no exported state with its secrets shown
 */
export default function knownOf(state: string | Uint8Array, names: readonly string[]): Known[] {
  return resourcesIn(state).flatMap((resource) => {
    const isAsked =
      names.length === 0 || [resource.name, resource.id, resource.urn].some((name) => names.includes(name));
    return isAsked ? knownOfResource(resource) : [];
  });
}

function knownOfResource({ type, urn, name, id, outputs }: StackResource): Known[] {
  const token = tokenOf(type);
  const definition = token === undefined ? undefined : ownMember(catalog, token)?.();
  if (definition === undefined) return [];
  const about = { urn, type: definition.token, name, id };
  const packed = bytesOf(outputs[RECORDS]);
  try {
    const whole = bytesOf(withRecordsRead(definition, outputs)[RECORDS]);
    return [{ ...about, records: recordsTold(definition, outputs), size: { packed, whole } }];
  } catch (error) {
    if (!(error instanceof UnreadableRecordsError)) throw error;
    return [{ ...about, records: undefined, why: error.message, size: { packed, whole: packed } }];
  }
}

function bytesOf(text: unknown): number {
  return typeof text === "string" ? Buffer.byteLength(text) : 0;
}
