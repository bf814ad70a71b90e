import { modelOfBody, plainModel } from "../diff/models";
import { Forbidden, Unauthenticated } from "../http/errors";
import { type HttpResponse, isSuccess } from "../http/request";
import { addressOf, knownAddress } from "../language/address";
import { isOwnRefusal } from "../language/cluster";
import type { Forecast, ForecastInput } from "../language/listing";
import type { Address, KnownInputs } from "../language/object";
import type { Definition, ObjectContext, StepContext } from "../language/resource";
import type { StepInput } from "../language/stepInput";
import { bodyForCreate } from "../requests/body";
import { objectContextOf } from "../requests/context";
import { errorFrom, errorOfRead, managedLinks, observe } from "../requests/observe";
import { filledQuery, send } from "../requests/send";
import { contentOf, type Write, writeToCreate, writeToUpdate } from "../requests/write";
import {
  conflictsSince,
  diffUpdate,
  plannedChanges,
  type RecordedObject,
  remoteChanges,
  withoutLinks,
} from "../state/changes";
import { hasPendingCreate, recordsIn } from "../state/records";
import { isObject } from "../value/json";
import { metadataOf, type ProgramInputs } from "../value/programInputs";
import { asKnown, hasUnknown, type Inputs } from "../value/unknown";
import { asIgnored } from "./converge";
import { effectiveInputs } from "./ignoredPaths";
import { sendInPreview } from "./previewRequest";
import { isTextUnread } from "./readText";

/**
 * Logs the server's plan for the write that these inputs require. Sends one request if there are changes to write and all
 * inputs are known. If the server cannot return a plan, a warning reports this once, and the preview does not fail.
 * @param outputs the state's outputs, for an update
 */
export async function forecast(
  definition: Definition,
  input: StepInput,
  inputs: ProgramInputs,
  outputs?: Inputs,
): Promise<void> {
  const asked = definition.life.writes.forecast;
  if (
    asked === undefined ||
    (inputs[asked.disabledBy] ?? input.connection.settings[asked.disabledBy]) === false
  )
    return;
  const recorded = outputs && recordsIn(definition, outputs);
  const planned = effectiveInputs(definition, input, recorded, inputs);
  // The check has already reported that the server could not parse the text.
  if (isTextUnread(definition, planned)) return;
  const existing = recorded && !hasPendingCreate(recorded) ? recorded : undefined;
  const changes = existing && remoteChanges(plannedChanges(definition, existing, planned));
  if (changes && withoutLinks(changes).length === 0) return;
  if (hasUnknown(planned)) {
    input.log("info", "the server's plan is requested once all values are known");
    return;
  }
  const context = objectContextOf(definition, "forecast", input, planned, outputs);
  const known = asKnown(planned);
  const coming = existing
    ? comingUpdate(await withIgnoredValues({ context, records: existing, inputs: known }))
    : comingCreate(context, known, recorded?.address);
  await ask(context, asked, coming);
}

/**
 * Reads the object if the program ignores paths: an update writes the server's current values there, and accepts changes of
 * others to them. Keeps the recorded values if the object cannot be read, or if the update would report a conflict.
 */
async function withIgnoredValues(object: RecordedObject): Promise<RecordedObject> {
  const { context, records } = object;
  if (metadataOf(object.inputs).ignoredPaths.length === 0) return object;
  const { definition } = context;
  const links = managedLinks(definition, records.lastApplied, object.inputs);
  const current = await observe(context, records.address, links).catch(() => undefined);
  if (current === undefined) return object;
  const inputs = asIgnored(object, current);
  const observed = modelOfBody(definition, current.body, inputs);
  const isConflict = conflictsSince(definition, records, inputs, observed).length > 0;
  return {
    context,
    records: isConflict ? records : { ...records, observed, revision: current.revision },
    inputs,
  };
}

/** The write that the step will send. */
interface Coming {
  readonly write: Write;
  readonly about: ForecastInput;
}

function comingCreate(context: ObjectContext, inputs: KnownInputs, pending?: Address): Coming {
  const { definition, connection, adoptsIdentical = false } = context;
  const address = pending ?? knownAddress(addressOf(definition, connection, inputs));
  return { write: writeToCreate(definition, address, inputs), about: { inputs, adoptsIdentical } };
}

/** An update may read the object before it writes. The plan uses the last observed object in the state instead. */
function comingUpdate({ context, records, inputs }: RecordedObject): Coming {
  const { definition, adoptsIdentical = false } = context;
  const current = bodyForCreate(definition, plainModel(records.observed));
  const { main: changes } = diffUpdate(context, records, inputs);
  const isVerified = records.pending?.kind !== "unverified";
  return {
    write: writeToUpdate(definition, { records, inputs, changes, current }),
    about: {
      inputs,
      applied: records.lastApplied,
      adoptsIdentical,
      ...(records.revision !== undefined && isVerified && !records.ended && { token: records.revision }),
    },
  };
}

async function ask(
  context: StepContext<Definition>,
  asked: Forecast,
  { write, about }: Coming,
): Promise<void> {
  const [everywhere, here] = placesOf(context, asked, write);
  await sendInPreview(context, {
    scopes: [everywhere, here],
    scopeOf: (error) => (error instanceof Forbidden || error instanceof Unauthenticated ? here : everywhere),
    unavailable: "the server's plan is not available for this resource and similar resources",
    send: () => requestPlan(context, asked, { write, about }),
  });
}

async function requestPlan(
  context: StepContext<Definition>,
  asked: Forecast,
  { write, about }: Coming,
): Promise<void> {
  const { body } = contentOf(context, write);
  const answer = await send(context, asked.request, write.address, {
    nature: "read",
    body: asked.body(isObject(body) ? body : {}),
  });
  if (isRefused(context, answer)) {
    const { summary: told } = errorFrom(context, answer, asked.request, write.address, "read");
    context.log("warning", `the server already rejects the object in the preview: ${told}`);
    return;
  }
  const { json } = answer;
  if (!isSuccess(answer) || !isObject(json) || !asked.expects.every((member) => member in json))
    throw errorOfRead(context, answer, asked.request, write.address);
  for (const { kind, text, facts } of asked.messages(json, about)) context.log(kind, text, facts);
}

/** True if the server rejects the planned write, as opposed to the caller. */
function isRefused({ definition: { service } }: StepContext, answer: HttpResponse): boolean {
  const { status } = answer;
  return status === 400 || status === 422 || isOwnRefusal(service, answer);
}

/**
 * The two scopes that stop requesting plans after a failure: the complete connection, and the part that the request's query
 * selects. A token may lack the permission for that part only.
 */
function placesOf({ connection }: StepContext, { request }: Forecast, { address }: Write): [string, string] {
  const whole = [connection.service.name, connection.name ?? null];
  return [JSON.stringify(whole), JSON.stringify([...whole, filledQuery(request.query ?? {}, address)])];
}
