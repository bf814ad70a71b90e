import { canonicalModel, type Model, modelOfBody, plainModel } from "../diff/models";
import { ActionableError, editProgram, refreshFirst, restoreState } from "../http/remedies";
import { type DefinitionBase, nounOf } from "../language/fields";
import type { Address, KnownInputs, Observation, Values } from "../language/object";
import { formatJson, isObject, type Json, parseJson } from "../value/json";
import { memoByText } from "../value/memo";
import { metadataFromJson, metadataToJson, NO_INPUTS, withMetadata } from "../value/programInputs";
import { asKnown, type Inputs, isKnown } from "../value/unknown";

/** The output that contains the records. The two underscores at the start of its name hide it from the engine's output. */
export const RECORDS = "__quarterdeck";

/** The three records of a resource, and the address of its object. */
export interface Records {
  readonly address: Address;
  /** The last applied inputs, in the program's form. */
  readonly lastApplied: KnownInputs;
  /** The baseline: the response to the last write, in canonical form. */
  readonly baseline: Model;
  /** The last observed object, in canonical form. */
  readonly observed: Model;
  /** The check-and-set token of the observed object. */
  readonly revision?: string | undefined;
  /** Proves, in addition to the token, that the object is unchanged since it was observed. */
  readonly stamp?: string | undefined;
  /** The last write, if it is not finished. */
  readonly pending?: Pending;
  /** The metadata in the responses to the last write, by property; undefined if the responses were lost or had none. */
  readonly receipt?: Values;
  /** True if the object had ended on its own when it was last read. */
  readonly ended?: boolean | undefined;
  /** The stored state of a procedure; `procedure` in the text of the records. */
  readonly procedure?: Readonly<Record<string, Json>>;
}

/** A write that is not finished. */
export type Pending = (
  | {
      /** A create or update whose outcome is unknown: the server may still carry it out. After a create, the object may exist. */
      readonly kind: "create" | "update";
      readonly inputs: KnownInputs;
    }
  | {
      /**
       * `unverified`: the write succeeded, but its result could not be read. `baseline` and `observed` are then unverified,
       * and `revision` is the one in the response, if any. `incomplete`: a part of the write failed, or is still to be done.
       */
      readonly kind: "unverified" | "incomplete";
    }
) & { readonly reason: string };

/** The version of the format. */
const VERSION = 1;

/** Writes the records as one text. Writes the common part of `baseline` and `observed` once. */
export function formatRecords(records: Records): string {
  const { address, lastApplied, baseline, observed, revision, stamp, pending, receipt, ended, procedure } =
    records;
  const isDrifted =
    observed !== baseline && formatJson(plainModel(baseline)) !== formatJson(plainModel(observed));
  return formatJson({
    v: VERSION,
    address: plainModel(address),
    lastApplied: plainModel(lastApplied),
    ...metadataJson(lastApplied),
    baseline: plainModel(baseline),
    ...(isDrifted && { observed: plainModel(observed) }),
    ...(revision !== undefined && { revision }),
    ...(stamp !== undefined && { stamp }),
    ...(pending && { pending: formatPending(pending) }),
    ...(receipt && { receipt: { ...receipt } }),
    ...(ended && { ended }),
    ...(procedure && { procedure: { ...procedure } }),
  });
}

function formatPending(pending: Pending): Json {
  const { kind, reason } = pending;
  if (!("inputs" in pending)) return { kind, reason };
  return { kind, inputs: plainModel(pending.inputs), ...metadataJson(pending.inputs), reason };
}

/** The inputs of all writes on record. */
export function writesIn(
  records: Pick<Records, "lastApplied" | "pending"> | undefined,
): readonly KnownInputs[] {
  return [records?.lastApplied, pendingInputs(records)].filter((inputs) => inputs !== undefined);
}

/** The inputs of a create or update with an unknown outcome. */
export function pendingInputs(records: Pick<Records, "pending"> | undefined): KnownInputs | undefined {
  const { pending } = records ?? {};
  return pending && "inputs" in pending ? pending.inputs : undefined;
}

/** The records in some outputs; undefined if there are none, or if they are unreadable. */
export function readableRecords(outputs: Inputs | undefined): Records | undefined {
  try {
    return parseRecords(outputs);
  } catch (error) {
    if (error instanceof UnreadableRecordsError) return undefined;
    throw error;
  }
}

/** True if the object was never read, so that the next write is our first one. */
export function isNeverObserved({ observed }: Pick<Records, "observed">): boolean {
  return Object.keys(observed).length === 0;
}

/** The records of an object that was never read. */
export function neverObserved(address: Address, lastApplied: KnownInputs = NO_INPUTS): Records {
  return { address, lastApplied, baseline: {}, observed: {} };
}

/** True if a create was sent and its outcome is unknown. */
export function hasPendingCreate({ pending }: Pick<Records, "pending">): boolean {
  return pending?.kind === "create";
}

/** Records that this version cannot read. The message does not quote the records. */
export class UnreadableRecordsError extends ActionableError {
  override readonly name = "UnreadableRecordsError";
}

/**
 * Reads the records; undefined if the outputs contain no records.
 * @throws UnreadableRecordsError for records of a newer version, and for invalid ones.
 */
export function parseRecords(outputs: Inputs | undefined): Records | undefined {
  const text = outputs?.[RECORDS];
  return typeof text === "string" ? parsedRecords(text) : undefined;
}

/** Memoized, because a step reads its records more than once. */
const parsedRecords = memoByText((text: string): Records => {
  const written = jsonIn(text);
  if (!isObject(written) || typeof written.v !== "number" || written.z !== undefined)
    throw new UnreadableRecordsError("the records in the state are invalid.", [restoreState()]);
  if (written.v > VERSION) {
    throw new UnreadableRecordsError(
      `the state was written by a newer version of pulumi-quarterdeck (records version ${written.v}, ` +
        `this package reads up to ${VERSION}).`,
      [editProgram("update the package")],
    );
  }
  const settled = membersOf(written.baseline);
  return {
    address: textsOf(written.address),
    lastApplied: inputsIn(written.lastApplied, written.with),
    baseline: settled,
    observed: written.observed === undefined ? settled : membersOf(written.observed),
    ...(typeof written.revision === "string" && { revision: written.revision }),
    ...(typeof written.stamp === "string" && { stamp: written.stamp }),
    ...(isObject(written.pending) && { pending: pendingIn(written.pending) }),
    ...(isObject(written.receipt) && { receipt: written.receipt }),
    ...(written.ended === true && { ended: true }),
    ...(isObject(written.procedure) && { procedure: written.procedure }),
  };
});

/**
 * The outputs in the state.
 * @throws UnreadableRecordsError if an output is unknown, which no engine writes.
 */
export function outputsInState(outputs: Inputs): Values {
  if (Object.values(outputs).every(isKnown)) return asKnown(outputs);
  throw new UnreadableRecordsError("the outputs in the state contain an unknown value.", [restoreState()]);
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
  const settled = canonicalModel(definition, records.baseline);
  const seen = records.observed === records.baseline ? settled : canonicalModel(definition, records.observed);
  return { ...records, baseline: settled, observed: seen };
}

/**
 * The records of a resource in the state.
 * @throws ActionableError if its outputs contain no records.
 */
export function recordsIn(definition: DefinitionBase, outputs: Inputs): Records {
  const records = recordsOf(definition, outputs);
  if (records !== undefined) return records;
  throw new ActionableError(`the state of this ${nounOf(definition)} has no records.`, [
    refreshFirst("pulumi refresh first"),
  ]);
}

/** The records after a write: the response is both the baseline and the last observed object. */
export function recordsAfterWrite(
  definition: DefinitionBase,
  inputs: KnownInputs,
  answer: Observation,
): Records {
  const { body, address, revision, stamp } = answer;
  const model = modelOfBody(definition, body, inputs);
  return { address, lastApplied: inputs, baseline: model, observed: model, revision, stamp };
}

function pendingIn({ kind, inputs, with: metadata, reason }: { readonly [member: string]: Json }): Pending {
  const text = typeof reason === "string" ? reason : "";
  if (kind === "create" || kind === "update")
    return { kind, inputs: inputsIn(inputs, metadata), reason: text };
  return { kind: kind === "unverified" ? kind : "incomplete", reason: text };
}

/**
 * The data of a write that later steps need in addition to the inputs: secret marks, the parsed text, and the sources of
 * secrets.
 */
function metadataJson(inputs: KnownInputs): { with?: Json } {
  const { ignored: _, ...recorded } = metadataToJson(inputs);
  return Object.keys(recorded).length === 0 ? {} : { with: recorded };
}

/** The inputs with their recorded additional data. */
function inputsIn(inputs: Json | undefined, metadata: Json | undefined): KnownInputs {
  return withMetadata(membersOf(inputs), { ...metadataFromJson(metadata), ignoredPaths: [] });
}

/** The string members of an address. Members of other types cannot be parts of an address. */
function textsOf(value: Json | undefined): Address {
  const parts = Object.entries(membersOf(value)).filter(([, part]) => typeof part === "string");
  return Object.fromEntries(parts) as Address;
}

function membersOf(value: Json | undefined): { [key: string]: Json } {
  return isObject(value) ? value : {};
}
