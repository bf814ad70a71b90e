import { formsIn } from "../../diff/forms";
import { type Model, modelOfBody, modelOfInputs } from "../../diff/models";
import { isVisible } from "../../diff/predict";
import { differencesIn } from "../../diff/queries";
import type { Change } from "../../diff/threeWay";
import { elementKey, isAdditive } from "../../diff/walk";
import type { HttpResponse } from "../../http/request";
import { idOfInputs } from "../../language/address";
import { fieldsOf } from "../../language/fields";
import type { Address, KnownInputs, Observation } from "../../language/object";
import type { ObjectContext, StepContext } from "../../language/resource";
import { isLink } from "../../language/role";
import type { LinksToRead } from "../../requests/observe";
import type { ProbedObject } from "../../requests/probe";
import type { Write } from "../../requests/write";
import type { RecordedObject } from "../../state/changes";
import { PartialError } from "../../state/errors";
import { outputsOf, type ResourceState } from "../../state/outputs";
import { isNeverObserved, type Pending, type Records, recordsAfterWrite } from "../../state/records";
import { isObject, type Json, listOf, pick } from "../../value/json";
import { selectInputs } from "../../value/programInputs";

/** Tells the user after a create of which a later part failed that the object exists. */
export const CREATED = "The object was created and is in the state.";

/** The result of a write: the records, and the object as last read; no object if nothing was sent. */
export interface Finished {
  readonly records: Records;
  readonly inputs: KnownInputs;
  readonly body?: Observation["body"];
}

/**
 * The work after the main write, of which either the response or the object is known; neither if nothing was sent. The
 * records are those that the write was based on.
 */
export interface PostWrite extends RecordedObject {
  /** The changes of which the service is informed. */
  readonly changes: readonly Change[];
  /** The write, and the response that confirms it. */
  readonly write?: Write;
  readonly response?: HttpResponse;
  /** The object that a probe found after a lost response, or that was read before and needs no write of its own. */
  readonly found?: ProbedObject;
}

/** The same, with what is known of the object after its main write. */
export interface Written extends PostWrite {
  readonly address: Address;
  /** The object by the response to the main write, if that contains it, or as a probe found it. */
  readonly own: Observation | undefined;
  /** The links to read after the write. */
  readonly links: LinksToRead;
}

/** The records of an object as it was found. */
export function recordsAsFound(
  { definition }: Pick<ObjectContext, "definition">,
  found: Observation,
  applied: KnownInputs,
  inputs: KnownInputs,
): Records {
  return { ...recordsAfterWrite(definition, inputs, found), lastApplied: applied, stamp: undefined };
}

/** A write of which a part failed. */
export const incomplete = ({ message }: Error): Pending => ({ kind: "incomplete", reason: message });

/** The resource with these records. */
export function resourceState(
  { definition, connection }: Pick<StepContext, "definition" | "connection">,
  records: Records,
  inputs: KnownInputs,
  body: Observation["body"] = {},
): ResourceState {
  const id = idOfInputs(definition, connection, records.address, inputs);
  return { id, outputs: outputsOf(definition, { ...inputs }, records, body) };
}

/** What an error of a partly applied step contains in addition to the records. */
interface PartialWrite {
  readonly reason: Error;
  readonly body?: Observation["body"] | undefined;
  /** The program's values, as far as the outputs contain them. Default: the last applied ones. */
  readonly inputs?: KnownInputs;
  /** A sentence about the part that succeeded. */
  readonly succeeded?: string | undefined;
}

/** The error of a step that leaves a resource in the state: its ID, its live values, and why it is incomplete. */
export function partial(
  context: Pick<StepContext, "definition" | "connection">,
  records: Records,
  { reason, body, inputs = records.lastApplied, succeeded }: PartialWrite,
): PartialError {
  const { id, outputs } = resourceState(context, records, inputs, body);
  return new PartialError(id, outputs, inputs, reason, succeeded);
}

/**
 * The baseline after a write to a service without check-and-set: the sent properties by the response, links as written, and
 * all others as observed before. Any other value in a read was set by someone else, and shows as drift.
 * @param answered the object by the response to the main write, if that contains it; otherwise as read back
 * @param read the object as read back
 */
export function baselineAfterWrite(work: PostWrite, answered: Observation["body"], read: Model): Model {
  const { records, inputs, changes } = work;
  const { definition } = work.context;
  const isFirst = isNeverObserved(records);
  const sent = new Set(changes.map(({ field }) => field.name));
  const desired = modelOfInputs(definition, inputs);
  const answer = modelOfBody(definition, answered, inputs);
  // An update that replaces the whole object sends every property. One that came back as written is the result of it, too.
  const isWhole = sent.size > 0 && definition.life.writes.semantics === "replace";
  const differing = new Set(
    differencesIn(definition, desired, answer, formsIn(definition, inputs))
      .filter(isVisible)
      .map(({ path: [name] }) => name),
  );
  const entries = fieldsOf(definition).flatMap((field) => {
    const { name, facts } = field;
    const isBack = isWhole && desired[name] !== undefined && !differing.has(name);
    const isSent = isFirst || sent.has(name) || (isBack && !isLink(facts));
    if (!isLink(facts)) return [[name, isSent ? answer[name] : records.observed[name]] as const];
    if (isAdditive(field, inputs))
      return [[name, isSent ? withOurs(read[name], desired[name]) : read[name]] as const];
    return [[name, isSent ? desired[name] : (records.observed[name] ?? read[name])] as const];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** The observed elements, and the written ones that someone has removed again. */
function withOurs(read: Json | undefined, ours: Json | undefined): Json | undefined {
  if (isObject(read) && isObject(ours)) return { ...read, ...ours };
  if (!Array.isArray(read) || !Array.isArray(ours)) return read ?? ours;
  const there = new Set(read.map(elementKey));
  return [...read, ...ours.filter((element) => !there.has(elementKey(element)))];
}

/**
 * The inputs that the program has applied so far. A link whose request failed has its last applied value. An additive link
 * also has every element that the request may have written. No such element may ever count as someone else's.
 * @param there the object after a rejected request: an element that it does not show was not written
 */
export function appliedInputs(work: PostWrite, unwritten: ReadonlySet<string>, there?: Model): KnownInputs {
  const { records, inputs } = work;
  const done = selectInputs(inputs, (name) => !unwritten.has(name));
  const additive = fieldsOf(work.context.definition).filter(
    ({ name, facts }) => facts.additive && unwritten.has(name),
  );
  const both: Record<string, Json> = {};
  for (const { name } of additive) {
    const before = listOf(records.observed[name]);
    const now = there && listOf(there[name]);
    // An element that was observed before, and was never ours, cannot come from our write.
    const own = listOf(inputs[name]).filter(
      (element) => !before.includes(element) && (now?.includes(element) ?? true),
    );
    const elements = [...listOf(records.lastApplied[name]), ...own];
    if (elements.length > 0) both[name] = [...new Set(elements)];
  }
  return { ...done, ...pick(records.lastApplied, unwritten), ...both };
}
