import { modelWithDefaults } from "../diff/models";
import { addressOf, idOfInputs, knownAddress } from "../language/address";
import { wireName } from "../language/fields";
import type { Due, Learnt, Procedure, Work } from "../language/lives";
import type { KnownInputs } from "../language/object";
import { answeredParts } from "../language/place";
import { type AnyDefinition, type Definition, livesAs } from "../language/resource";
import type { PreviewInput, StepInput, StepName } from "../language/stepInput";
import { bodyForCreate } from "../requests/body";
import { contextOf } from "../requests/context";
import { PartialError } from "../state/errors";
import { outputsOf } from "../state/outputs";
import { parseRecords, type Records, recordsIn } from "../state/records";
import { answeredSecrets } from "../state/redaction";
import { toError } from "../value/error";
import type { Json } from "../value/json";
import { NO_INPUTS } from "../value/programInputs";
import type { Inputs } from "../value/unknown";
import type { Made } from "./create";
import type { ReadBack } from "./refresh";
import { refreshFromState, updateStateOnly } from "./stateOnly";

/**
 * Starts a procedure.
 * @throws PartialError if the procedure stopped and a part of its state must be stored.
 */
export function startProcedure(
  definition: Definition<Procedure>,
  input: StepInput,
  inputs: KnownInputs,
): Promise<Made> {
  const address = knownAddress(addressOf(definition, input.connection, inputs));
  return runProcedure(definition, "create", input, inputs, {
    address,
    lastApplied: NO_INPUTS,
    baseline: {},
    observed: {},
  });
}

/**
 * Continues a procedure that an earlier `pulumi up` could not finish, or that is due. Otherwise, only steering properties
 * can have changed, and nothing is sent.
 */
export async function continueProcedure(
  definition: Definition<Procedure>,
  input: StepInput,
  outputs: Inputs,
  inputs: KnownInputs,
): Promise<{ [property: string]: Json }> {
  const records = recordsIn(definition, outputs);
  const due = dueNow(definition, input, records, inputs);
  const goesOn = records.pending !== undefined || due?.isReplacement === false;
  if (!goesOn) return updateStateOnly(definition, outputs, inputs);
  return (await runProcedure(definition, "update", input, inputs, records)).outputs;
}

/** Reads the current state of a procedure. */
export async function readProcedure(
  definition: Definition<Procedure>,
  input: StepInput,
  id: string,
  outputs?: Inputs,
): Promise<ReadBack | undefined> {
  const records = parseRecords(outputs);
  if (records === undefined) return refreshFromState(definition, input, id, outputs);
  const learnt = await definition.life.refresh(
    workOn(definition, "read", input, records.lastApplied, records).work,
  );
  if (learnt === undefined) return undefined;
  const now = { ...records, procedure: learnt };
  return { id, outputs: outputsOf(definition, { ...records.lastApplied }, now, learnt) };
}

/** Ends a procedure on the server. */
export async function endProcedure(
  definition: Definition<Procedure>,
  input: StepInput,
  outputs: Inputs,
): Promise<void> {
  const records = recordsIn(definition, outputs);
  await definition.life.end(workOn(definition, "delete", input, records.lastApplied, records).work);
}

async function runProcedure(
  definition: Definition<Procedure>,
  step: StepName,
  input: StepInput,
  inputs: KnownInputs,
  before: Records,
): Promise<Made> {
  const { work, kept } = workOn(definition, step, input, inputs, before);
  const given = modelWithDefaults(definition, inputs);
  const resultFor = (learnt: Learnt, more: Partial<Records>): Made => {
    const address = { ...before.address, ...answeredParts(definition.where, learnt) };
    const records: Records = {
      address,
      lastApplied: inputs,
      baseline: given,
      observed: given,
      procedure: learnt,
      ...more,
    };
    return {
      id: idOfInputs(definition, input.connection, address, inputs),
      outputs: outputsOf(definition, { ...inputs }, records, learnt),
    };
  };
  try {
    return resultFor(await definition.life.proceed(work), {});
  } catch (error) {
    const latest = kept() ?? before.procedure ?? {};
    if (step === "create" && Object.keys(latest).length === 0) throw error;
    const reason = toError(error);
    // Later previews print this message again, and their inputs may no longer contain the secrets that it quotes.
    const pending = { kind: "incomplete", reason: work.context.redactor.mask(reason.message) } as const;
    const { id, outputs } = resultFor(latest, { pending });
    throw new PartialError(id, outputs, inputs, reason);
  }
}

function workOn(
  definition: Definition<Procedure>,
  step: StepName,
  input: StepInput,
  inputs: KnownInputs,
  records: Records,
): { work: Work; kept(): Learnt | undefined } {
  let latest: Learnt | undefined;
  const context = contextOf(definition, step, input, inputs, records.lastApplied);
  const learn = (learnt: Learnt) => context.redactor.add(() => answeredSecrets(definition, learnt));
  if (records.procedure !== undefined) learn(records.procedure);
  // A procedure's functions need each secret itself. A fingerprint is not enough.
  const open = input.fingerprints?.reveal(inputs) ?? inputs;
  const work: Work = {
    context,
    address: records.address,
    inputs: open,
    body: bodyForCreate(definition, open),
    learnt: records.procedure ?? {},
    keep: (learnt) => {
      latest = learnt;
      learn(learnt);
    },
  };
  return { work, kept: () => latest };
}

/** The change of a resource that is due by the clock, even if its program is unchanged. */
export function dueNow(
  definition: AnyDefinition,
  { connection }: Pick<PreviewInput, "connection">,
  { procedure }: Pick<Records, "procedure">,
  inputs: Inputs,
): Due | undefined {
  if (!livesAs(definition, "procedure") || procedure === undefined) return undefined;
  return definition.life.due?.({ connection, inputs, learnt: procedure });
}

/** The end of a procedure's result, if it has passed. A procedure that must continue checks this itself. */
export function expiredOutput(
  definition: AnyDefinition,
  { connection }: Pick<PreviewInput, "connection">,
  { procedure, pending }: Pick<Records, "procedure" | "pending">,
): { output: string; end: string } | undefined {
  if (!livesAs(definition, "procedure") || procedure === undefined || pending !== undefined) return undefined;
  const { lastsUntil: output } = definition.life;
  const end = output && procedure[wireName(output, definition.service.naming)];
  if (output === undefined || typeof end !== "string") return undefined;
  return Date.parse(end) <= connection.runtime.now() ? { output, end } : undefined;
}
