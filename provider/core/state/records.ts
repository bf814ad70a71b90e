import { canonicalModel, type Model, modelOfBody, plainModel } from "../compare/model";
import { AdvisedError, edited, refreshFirst } from "../http/waysOn";
import type { DefinitionBase } from "../language/fields";
import type { Address, Observation, Values } from "../language/object";
import { asideFrom, asideOf, withAside, withoutFormer } from "../value/aside";
import { formatJson, isObject, type Json, parseJson } from "../value/json";
import { memoByText } from "../value/memo";
import { type Inputs, isKnown, known } from "../value/unknown";

/**
 * The output that holds the records. Its name starts with two underscores, which keeps it out of what the
 * engine shows; the SDK declares it secret.
 */
export const RECORDS = "__quarterdeck";

/** The three records of a resource, and where the object is. */
export interface Records {
  readonly address: Address;
  /** What the program wrote at our last write, as it wrote it. */
  readonly applied: Values;
  /** The service's answer to that write, in canonical form. */
  readonly settled: Model;
  /** The service's latest answer, in canonical form. */
  readonly seen: Model;
  /** The check-and-set token of `seen`. */
  readonly token?: string;
  /** What proves beside the token that the object is as it was seen. */
  readonly stamp?: string;
  /** Why the last create or update is not whole. */
  readonly unfinished?: string;
  /**
   * The last write was made, and what became of it could not be read: `settled` and `seen` are only believed, and
   * `token` is what its answer named, if it named one.
   */
  readonly unread?: boolean;
  /**
   * What the program wrote in a write of which nobody knows whether it was carried out, or whether it still will be. Of
   * a create nothing else is known then: the object is perhaps made.
   */
  readonly attempted?: Values;
  /** What the answers to our last write told beside the object, by property; none where they were lost, or told nothing. */
  readonly receipt?: Values;
  /** Whether it had ended by itself when it was last read. */
  readonly ended?: boolean;
  /** What a procedure has learnt and kept; `known` in the text of the records. */
  readonly learnt?: Readonly<Record<string, Json>>;
}

/** The latest version; what an older package understands is written in the older one. */
const VERSION = 5;
/** The number of a container, which is none of what is in it. */
const PACKED_VERSION = 4;
/** What was written with it is understood by every package that knows what goes along with inputs. */
const WITH_ASIDE = 3;

/** Writes the records as one text. What `seen` shares with `settled` is written once. */
export function formatRecords(records: Records): string {
  const {
    address,
    applied,
    settled,
    seen,
    token,
    stamp,
    unfinished,
    unread,
    attempted,
    receipt,
    ended,
    learnt,
  } = records;
  const isMoved = seen !== settled && formatJson(plainModel(settled)) !== formatJson(plainModel(seen));
  const [withApplied, withAttempted] = [keptAside(applied), keptAside(attempted)];
  const hasAside = withApplied !== undefined || withAttempted !== undefined;
  const hasSeals = [applied, attempted ?? {}].some((each) => asideOf(each).sources !== undefined);
  return formatJson({
    v: hasSeals ? VERSION : hasAside ? WITH_ASIDE : attempted === undefined ? 1 : 2,
    address: plainModel(address),
    applied: plainModel(applied),
    ...(withApplied && { with: withApplied }),
    settled: plainModel(settled),
    ...(isMoved && { seen: plainModel(seen) }),
    ...(token !== undefined && { token }),
    ...(stamp !== undefined && { stamp }),
    ...(unfinished !== undefined && { unfinished }),
    ...(unread && { unread }),
    ...(attempted && { attempted: { ...attempted } }),
    ...(withAttempted && { attemptedWith: withAttempted }),
    ...(receipt && { receipt: { ...receipt } }),
    ...(ended && { ended }),
    ...(learnt && { known: { ...learnt } }),
  });
}

/** What the program wrote in the writes that are on record. */
export function writesIn(records: Pick<Records, "applied" | "attempted"> | undefined): readonly Values[] {
  return [records?.applied, records?.attempted].filter((inputs) => inputs !== undefined);
}

/** Whether nothing was ever read of the object: what writes to it is our first write. */
export function isNeverRead({ seen }: Pick<Records, "seen">): boolean {
  return Object.keys(seen).length === 0;
}

/** Whether a create was sent, and nobody knows what became of it. */
export function isPerhapsMade(records: Pick<Records, "seen" | "attempted">): boolean {
  return records.attempted !== undefined && isNeverRead(records);
}

/** Records that this version does not read. The message says nothing of what is in them. */
export class UnreadableRecordsError extends AdvisedError {
  override readonly name = "UnreadableRecordsError";
}

/**
 * Reads the records of this and every older version; undefined where an output holds none.
 * @throws UnreadableRecordsError for those of a version to come, and for what are none.
 */
export function parseRecords(outputs: Inputs | undefined): Records | undefined {
  const text = outputs?.[RECORDS];
  return typeof text === "string" ? parsedRecords(text) : undefined;
}

/** A step looks into its records more than once. */
const parsedRecords = memoByText((text: string): Records => {
  const written = jsonIn(text);
  if (!isObject(written) || typeof written.v !== "number" || written.v === PACKED_VERSION)
    throw new UnreadableRecordsError("the state's bookkeeping output is not what this package writes", [
      edited("restore the stack from an earlier export (pulumi stack history)"),
    ]);
  if (written.v > VERSION) {
    throw new UnreadableRecordsError(
      `the state was written by a newer version of pulumi-quarterdeck (bookkeeping version ${written.v}, ` +
        `this package reads up to ${VERSION}).`,
      [edited("update the package")],
    );
  }
  const settled = membersOf(written.settled);
  return {
    address: textsOf(written.address),
    applied: inputsIn(written.applied, written.with),
    settled,
    seen: written.seen === undefined ? settled : membersOf(written.seen),
    ...(typeof written.token === "string" && { token: written.token }),
    ...(typeof written.stamp === "string" && { stamp: written.stamp }),
    ...(typeof written.unfinished === "string" && { unfinished: written.unfinished }),
    ...(written.unread === true && { unread: true }),
    ...(isObject(written.attempted) && { attempted: inputsIn(written.attempted, written.attemptedWith) }),
    ...(isObject(written.receipt) && { receipt: written.receipt }),
    ...(written.ended === true && { ended: true }),
    ...(isObject(written.known) && { learnt: written.known }),
  };
});

/**
 * The outputs that the state holds.
 * @throws UnreadableRecordsError where one of them is not known: no engine writes that.
 */
export function outputsInState(outputs: Inputs): Values {
  if (Object.values(outputs).every(isKnown)) return known(outputs);
  throw new UnreadableRecordsError(
    "the state's outputs hold a value that is not known, which no engine writes",
    [edited("restore the stack from an earlier export (pulumi stack history)")],
  );
}

/** The JSON of a text; undefined where it is none, so that no error quotes the text. */
function jsonIn(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** The records of a resource as this version compares them; undefined where an output holds none. */
export function recordsOf(definition: DefinitionBase, outputs: Inputs | undefined): Records | undefined {
  const records = parseRecords(outputs);
  if (records === undefined) return undefined;
  const settled = canonicalModel(definition, records.settled);
  const seen = records.seen === records.settled ? settled : canonicalModel(definition, records.seen);
  return { ...records, settled, seen };
}

/**
 * The records of a resource that is in the state.
 * @throws AdvisedError where its outputs hold none.
 */
export function recordsIn(definition: DefinitionBase, outputs: Inputs): Records {
  const records = recordsOf(definition, outputs);
  if (records !== undefined) return records;
  throw new AdvisedError(`the state of this ${definition.token} has no records.`, [
    refreshFirst("pulumi refresh first"),
  ]);
}

/** The records after a write: its answer is both settled and seen. */
export function recordsAfterWrite(definition: DefinitionBase, inputs: Values, answer: Observation): Records {
  const settled = modelOfBody(definition, answer.body, inputs);
  return {
    address: answer.address,
    applied: inputs,
    settled,
    seen: settled,
    ...(answer.token !== undefined && { token: answer.token }),
    ...(answer.stamp !== undefined && { stamp: answer.stamp }),
  };
}

/** What went along with a write and is needed later: what of it is secret, what was read in its text, where secrets are. */
function keptAside(inputs: Values | undefined): { [member: string]: Json } | undefined {
  const { secrets, reading, sources } = asideOf(inputs ?? {});
  if (secrets === undefined && reading === undefined && sources === undefined) return undefined;
  return {
    ...(secrets && { secrets: [...secrets] }),
    ...(reading && { reading: { ...reading } }),
    ...(sources && { sources: { ...sources } }),
  };
}

/** Inputs with what is on record beside them. */
function inputsIn(inputs: Json | undefined, aside: Json | undefined): Values {
  const { own, former } = withoutFormer(membersOf(inputs));
  const { ignored: _, ...kept } = isObject(aside) ? asideFrom(aside) : former;
  return withAside(own, kept);
}

/** What of an address is text: nothing else is any part of one. */
function textsOf(value: Json | undefined): Address {
  const parts = Object.entries(membersOf(value)).filter(([, part]) => typeof part === "string");
  return Object.fromEntries(parts) as Address;
}

function membersOf(value: Json | undefined): { [key: string]: Json } {
  return isObject(value) ? value : {};
}
