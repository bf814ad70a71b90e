import type { Redactor } from "../../packages/redact";
import { Call, type Host } from "../../provider/core/bridge/call";
import { diffInputs } from "../../provider/core/bridge/checking";
import { type Bag, fromEngine, textRead } from "../../provider/core/bridge/engineValues";
import { stateOf } from "../../provider/core/bridge/records";
import { writtenPath } from "../../provider/core/diff/project";
import type { Difference } from "../../provider/core/diff/threeWay";
import { withoutStack } from "../../provider/core/http/errors";
import type { AnyDefinition } from "../../provider/core/language/resource";
import type { DiffPath } from "../../provider/core/operations/diff";
import type { ReadResult } from "../../provider/core/operations/steps";
import { mayPass } from "../../provider/core/requests/watch";
import { type DriftedField, driftedFields } from "../../provider/core/state/conflictTable";
import { parseRecords } from "../../provider/core/state/records";
import { secretMapOf } from "../../provider/core/state/redaction";
import type { SecretMap } from "../../provider/core/state/secretMap";
import { formatPath, isWithinPath, valueAt } from "../../provider/core/value/path";
import { metadataOf, withMetadata } from "../../provider/core/value/programInputs";
import type { Inputs } from "../../provider/core/value/unknown";

/** A resource from a state, with its secrets in plain text. */
export interface StateResource {
  readonly urn?: string;
  readonly id: string;
  readonly inputs: Bag;
  readonly outputs: Bag;
  /** The paths of `ignoreChanges`, if the state contains them. */
  readonly ignored: readonly string[];
}

/** A field that differs from the state. */
export interface Drifted extends DriftedField {
  /** True if the program ignores changes of this field. */
  readonly isIgnored: boolean;
}

/** The verdict on a resource; the same as a refresh of it would find. */
export type Verdict =
  | { readonly verdict: "in sync" | "missing" }
  /**
   * `when`: the time of the last write, if the server reports it. `why`: the reason if no field differs, because the last
   * write is incomplete.
   */
  | {
      readonly verdict: "drifted";
      readonly fields: readonly Drifted[];
      readonly when?: string;
      readonly why?: string;
    }
  /** `mayPass`: the connection to the server failed, which may be temporary. */
  | { readonly verdict: "unreadable"; readonly why: string; readonly mayPass?: true };

/**
 * Compares a resource with its server, and changes nothing. As in an engine's refresh, a resource has drifted if an update
 * to the inputs in the state would change anything. Values that the server sets itself may differ.
 */
export async function verdictOf(
  definition: AnyDefinition,
  host: Host,
  held: StateResource,
): Promise<Verdict> {
  let redactor: Redactor | undefined;
  try {
    const outputs = stateOf(definition, held.outputs).values;
    const limits = held.urn === undefined ? {} : { behalf: { object: held.urn } };
    const records = parseRecords(outputs);
    if (records === undefined) return { verdict: "unreadable", why: NO_RECORDS };
    const { lastApplied } = records;
    const read = await Call.of(definition, { id: held.id, inputs: lastApplied, outputs }, host, limits);
    redactor = read.redactor;
    const { named } = read;
    const found = await named.steps.read(named.readInput(), held.id, read.values.outputs);
    if (found === undefined) return { verdict: "missing" };
    const own = fromEngine(held.inputs);
    const ignored = [...held.ignored, ...metadataOf(own).ignoredPaths];
    const inputs = withMetadata(own, { ignoredPaths: ignored });
    // A secret that changed at its source is not drift of the server: the value from the state counts.
    const now = { id: held.id, inputs, outputs: found.outputs };
    const compared = await Call.of(definition, now, host, limits, false);
    const { changes } = await diffInputs(compared, textRead(held.inputs));
    const moved = found.newDrift ?? [];
    if (changes.length === 0 && (moved.length === 0 || ignored.length === 0)) return { verdict: "in sync" };
    const secrecy = secretMapOf(compared.definition, lastApplied, redactor, own);
    const isIgnored = ({ path }: Difference) => {
      const at = formatPath(writtenPath(compared.definition, lastApplied, path));
      return ignored.some((above) => isWithinPath(at, above));
    };
    const fields = [false, true].flatMap((asked) => {
      const differences = moved.filter((difference) => isIgnored(difference) === asked);
      return driftedFields(differences, secrecy).map((field) => ({ ...field, isIgnored: asked }));
    });
    const when = found.writtenAt === undefined ? {} : { when: found.writtenAt };
    const isOnlyIgnored = changes.length === 0 && fields.every((field) => field.isIgnored);
    if (changes.length === 0)
      return isOnlyIgnored && fields.length > 0 ? { verdict: "drifted", fields, ...when } : IN_SYNC;
    if (fields.some((field) => !field.isIgnored)) return { verdict: "drifted", fields, ...when };
    const others = changes.filter(({ path, written }) => path.length > 0 || written.length > 0);
    return {
      verdict: "drifted",
      fields: [...fields, ...fieldsOfChanges(others, own, found, secrecy)],
      ...(others.length < changes.length && { why: redactor.mask(whyOpen(outputs)) }),
    };
  } catch (error) {
    const { message } = withoutStack(error);
    const why = redactor?.mask(message) ?? message;
    return { verdict: "unreadable", why, ...(mayPass(error) && { mayPass: true }) };
  }
}

const NO_RECORDS =
  "the state has no record of what Quarterdeck wrote and read, so the object cannot be compared\nNext: pulumi refresh to record the object";

const IN_SYNC: Verdict = { verdict: "in sync" };

/** Why an update has work to do although no field differs. */
function whyOpen(outputs: Inputs): string {
  const { pending } = parseRecords(outputs) ?? {};
  return pending === undefined
    ? "the outcome of the last write is unknown; the next pulumi up determines the outcome"
    : `the last write is incomplete, and the next pulumi up continues the write: ${pending.reason}`;
}

/** The changes that an update would make, if no change since the last read shows them: they were in the state already. */
function fieldsOfChanges(
  changes: readonly DiffPath[],
  inputs: Inputs,
  { outputs, inputs: now = outputs }: ReadResult,
  secrets: SecretMap,
): Drifted[] {
  return changes.map(({ path, written }) => {
    const text = (values: Inputs) => {
      const value = valueAt(values, written);
      if (value === undefined || value === null) return "(none)";
      return secrets.isSecret(path) ? "[secret]" : secrets.mask(JSON.stringify(value));
    };
    const field = formatPath(written.length > 0 ? written : path);
    return { field, was: text(inputs), is: text(now), isIgnored: false };
  });
}
