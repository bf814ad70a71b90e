import { canonicalModel, type Model, modelOfBody, plainModel } from "../compare/model";
import { AdvisedError, edited, refreshFirst } from "../http/waysOn";
import type { DefinitionBase } from "../language/fields";
import type { Address, Observation, Values } from "../language/object";
import { asideFrom, asideOf, withAside, withoutFormer } from "../value/aside";
import { formatJson, isObject, type Json, parseJson } from "../value/json";
import { memoByText } from "../value/memo";
import { type Inputs, isKnown, known } from "../value/unknown";

/** The output that contains the records. The two underscores at the start of its name hide it from the engine's output. */
export const RECORDS = "__quarterdeck";

/** The three records of a resource, and the address of its object. */
export interface Records {
  readonly address: Address;
  /** The last applied inputs, in the program's form. */
  readonly applied: Values;
  /** The baseline: the response to the last write, in canonical form. */
  readonly settled: Model;
  /** The last observed object, in canonical form. */
  readonly seen: Model;
  /** The check-and-set token of `seen`. */
  readonly token?: string;
  /** Proves, in addition to the token, that the object is unchanged since it was observed. */
  readonly stamp?: string;
  /** Why the last create or update is incomplete. */
  readonly unfinished?: string;
  /**
   * The last write succeeded, but its result could not be read. `settled` and `seen` are unverified, and `token` is the one
   * in the response, if any.
   */
  readonly unread?: boolean;
  /**
   * The inputs of a pending write: its outcome is unknown, and the server may still carry it out. For a pending create,
   * nothing else is known, and the object may exist.
   */
  readonly attempted?: Values;
  /** The metadata in the responses to the last write, by property; undefined if the responses were lost or had none. */
  readonly receipt?: Values;
  /** True if the object had ended on its own when it was last read. */
  readonly ended?: boolean;
  /** The stored state of a procedure; `known` in the text of the records. */
  readonly learnt?: Readonly<Record<string, Json>>;
}

/** The latest version. Records that an older package understands are written in that package's version. */
const VERSION = 5;
/** The version of the container, which no records use. */
const PACKED_VERSION = 4;
/** Every package that supports data in addition to the inputs understands this version. */
const WITH_ASIDE = 3;

/** Writes the records as one text. Writes the common part of `seen` and `settled` once. */
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

/** The inputs of all writes on record. */
export function writesIn(records: Pick<Records, "applied" | "attempted"> | undefined): readonly Values[] {
  return [records?.applied, records?.attempted].filter((inputs) => inputs !== undefined);
}

/** True if the object was never read, so that the next write is our first one. */
export function isNeverObserved({ seen }: Pick<Records, "seen">): boolean {
  return Object.keys(seen).length === 0;
}

/** True if a create was sent and its outcome is unknown. */
export function hasPendingCreate(records: Pick<Records, "seen" | "attempted">): boolean {
  return records.attempted !== undefined && isNeverObserved(records);
}

/** Records that this version cannot read. The message does not quote the records. */
export class UnreadableRecordsError extends AdvisedError {
  override readonly name = "UnreadableRecordsError";
}

/**
 * Reads the records of this and every older version; undefined if the outputs contain no records.
 * @throws UnreadableRecordsError for records of a newer version, and for invalid ones.
 */
export function parseRecords(outputs: Inputs | undefined): Records | undefined {
  const text = outputs?.[RECORDS];
  return typeof text === "string" ? parsedRecords(text) : undefined;
}

/** Memoized, because a step reads its records more than once. */
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
 * The outputs in the state.
 * @throws UnreadableRecordsError if an output is unknown, which no engine writes.
 */
export function outputsInState(outputs: Inputs): Values {
  if (Object.values(outputs).every(isKnown)) return known(outputs);
  throw new UnreadableRecordsError(
    "the state's outputs hold a value that is not known, which no engine writes",
    [edited("restore the stack from an earlier export (pulumi stack history)")],
  );
}

/** The JSON of a text; undefined if the text is not JSON, so that no error quotes the text. */
function jsonIn(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** The records of a resource in the form that this version compares; undefined if the outputs contain no records. */
export function recordsOf(definition: DefinitionBase, outputs: Inputs | undefined): Records | undefined {
  const records = parseRecords(outputs);
  if (records === undefined) return undefined;
  const settled = canonicalModel(definition, records.settled);
  const seen = records.seen === records.settled ? settled : canonicalModel(definition, records.seen);
  return { ...records, settled, seen };
}

/**
 * The records of a resource in the state.
 * @throws AdvisedError if its outputs contain no records.
 */
export function recordsIn(definition: DefinitionBase, outputs: Inputs): Records {
  const records = recordsOf(definition, outputs);
  if (records !== undefined) return records;
  throw new AdvisedError(`the state of this ${definition.token} has no records.`, [
    refreshFirst("pulumi refresh first"),
  ]);
}

/** The records after a write: the response is both the baseline and the last observed object. */
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

/**
 * The data of a write that later steps need in addition to the inputs: secret marks, the parsed text, and the sources of
 * secrets.
 */
function keptAside(inputs: Values | undefined): { [member: string]: Json } | undefined {
  const { secrets, reading, sources } = asideOf(inputs ?? {});
  if (secrets === undefined && reading === undefined && sources === undefined) return undefined;
  return {
    ...(secrets && { secrets: [...secrets] }),
    ...(reading && { reading: { ...reading } }),
    ...(sources && { sources: { ...sources } }),
  };
}

/** The inputs with their recorded additional data. */
function inputsIn(inputs: Json | undefined, aside: Json | undefined): Values {
  const { own, former } = withoutFormer(membersOf(inputs));
  const { ignored: _, ...kept } = isObject(aside) ? asideFrom(aside) : former;
  return withAside(own, kept);
}

/** The string members of an address. Members of other types cannot be parts of an address. */
function textsOf(value: Json | undefined): Address {
  const parts = Object.entries(membersOf(value)).filter(([, part]) => typeof part === "string");
  return Object.fromEntries(parts) as Address;
}

function membersOf(value: Json | undefined): { [key: string]: Json } {
  return isObject(value) ? value : {};
}
