import { catalog } from "../../provider/catalog";
import { withRecordsRead } from "../../provider/core/bridge/records";
import { RECORDS, UnreadableRecordsError } from "../../provider/core/state/records";
import { ownMember } from "../../provider/core/value/json";
import { resourcesIn, type StackResource, tokenOf } from "./deployment";
import { describeRecords, type RecordsText } from "./recordsText";

/** The records of a resource in a state. */
export interface Known {
  readonly urn: string;
  /** For example `scheduler:Job`. */
  readonly type: string;
  readonly name: string;
  readonly id: string;
  /** Its records as text; undefined if an older version only adopted it, or it was imported by hand. */
  readonly records: RecordsText | undefined;
  /** Why the records are missing or unreadable. */
  readonly why?: string;
  /** The size of the records in bytes, in the state and unpacked. */
  readonly size: { readonly packed: number; readonly whole: number };
}

/**
 * The records of this package's resources in a state. With names, IDs or URNs, only of those resources.
 * @throws UnreadableState if the text is not an exported state with its secrets in plain text
 */
export default function recordsInState(state: string | Uint8Array, names: readonly string[]): Known[] {
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
    return [{ ...about, records: describeRecords(definition, outputs), size: { packed, whole } }];
  } catch (error) {
    if (!(error instanceof UnreadableRecordsError)) throw error;
    return [{ ...about, records: undefined, why: error.message, size: { packed, whole: packed } }];
  }
}

function bytesOf(text: unknown): number {
  return typeof text === "string" ? Buffer.byteLength(text) : 0;
}
