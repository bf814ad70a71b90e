import { modelWithDefaults } from "../diff/models";
import { addressOf, knownAddress } from "../language/address";
import { wireName } from "../language/fields";
import type { Due, Procedure, ProcedureInput, ProcedureProgress } from "../language/lifecycles";
import type { KnownInputs } from "../language/object";
import { partsFromResponse } from "../language/place";
import { type Definition, hasLifecycle, type StepContext } from "../language/resource";
import type { StepInput, StepName } from "../language/stepInput";
import { bodyForCreate } from "../requests/body";
import { contextOf } from "../requests/context";
import { outputsOf, type ResourceState } from "../state/outputs";
import { neverObserved, parseRecords, type Records, recordsIn } from "../state/records";
import { answeredSecrets } from "../state/redaction";
import { toError } from "../value/error";
import { NO_INPUTS } from "../value/programInputs";
import type { RecordedResource } from "./placeKey";
import { refreshFromState, updateStateOnly } from "./stateOnly";
import type { KindSteps } from "./steps";
import { partial, resourceState } from "./write/result";

type ProcedureContext = StepContext<Definition<Procedure>>;

/** The steps of a procedure. */
export function procedureSteps(definition: Definition<Procedure>): KindSteps {
  const contextFor = (input: StepInput, step: StepName, inputs: KnownInputs, before: KnownInputs) =>
    contextOf(definition, step, input, inputs, before);
  return {
    create(input, inputs) {
      const address = knownAddress(addressOf(definition, input.connection, inputs));
      return runProcedure(contextFor(input, "create", inputs, NO_INPUTS), inputs, neverObserved(address));
    },

    async read(input, id, outputs) {
      const records = parseRecords(outputs);
      if (records === undefined) return refreshFromState(definition, id, outputs);
      const { lastApplied } = records;
      const context = contextFor(input, "read", lastApplied, lastApplied);
      const progress = await definition.life.refresh(procedureInput(context, lastApplied, records));
      if (progress === undefined) return undefined;
      const now = { ...records, procedure: progress };
      return { id, outputs: outputsOf(definition, { ...lastApplied }, now, progress) };
    },

    /**
     * Continues a procedure that an earlier `pulumi up` could not finish, or that is due. Otherwise, only steering properties
     * can have changed, and nothing is sent.
     */
    async update(input, old, inputs) {
      const records = recordsIn(definition, old);
      const due = dueNow({ definition, connection: input.connection, records, inputs });
      const continues = records.pending !== undefined || due?.isReplacement === false;
      if (!continues) return updateStateOnly(definition, old, inputs);
      const context = contextFor(input, "update", inputs, records.lastApplied);
      return (await runProcedure(context, inputs, records)).outputs;
    },

    async remove(input, outputs) {
      const records = recordsIn(definition, outputs);
      const { lastApplied } = records;
      const context = contextFor(input, "delete", lastApplied, lastApplied);
      await definition.life.end(procedureInput(context, lastApplied, records));
    },
  };
}

/** @throws PartialError if the procedure stopped and a part of its state must be stored. */
async function runProcedure(
  context: ProcedureContext,
  inputs: KnownInputs,
  before: Records,
): Promise<ResourceState> {
  const { definition, step, redactor } = context;
  const given = modelWithDefaults(definition, inputs);
  const recordsWith = (progress: ProcedureProgress): Records => ({
    address: { ...before.address, ...partsFromResponse(definition.where, progress) },
    lastApplied: inputs,
    baseline: given,
    observed: given,
    procedure: progress,
  });
  let latest = before.procedure ?? {};
  const work = procedureInput(context, inputs, before, (progress) => {
    latest = progress;
  });
  try {
    const progress = await definition.life.proceed(work);
    return resourceState(context, recordsWith(progress), inputs, progress);
  } catch (error) {
    if (step === "create" && Object.keys(latest).length === 0) throw error;
    const reason = toError(error);
    // Later previews print this message again, and their inputs may no longer contain the secrets that it quotes.
    const pending = { kind: "incomplete", reason: redactor.mask(reason.message) } as const;
    throw partial(context, { ...recordsWith(latest), pending }, { reason, body: latest });
  }
}

function procedureInput(
  context: ProcedureContext,
  inputs: KnownInputs,
  { address, procedure }: Records,
  keep: ProcedureInput["save"] = () => undefined,
): ProcedureInput {
  const { definition, redactor, fingerprints } = context;
  const redact = (progress: ProcedureProgress) => redactor.add(() => answeredSecrets(definition, progress));
  if (procedure !== undefined) redact(procedure);
  // A procedure's functions need each secret itself. A fingerprint is not enough.
  const revealed = fingerprints?.reveal(inputs) ?? inputs;
  return {
    context,
    address,
    inputs: revealed,
    body: bodyForCreate(definition, revealed),
    progress: procedure ?? {},
    save: (progress) => {
      keep(progress);
      redact(progress);
    },
  };
}

/** The change of a resource that is due by the clock, even if its program is unchanged. */
export function dueNow({ definition, connection, records, inputs }: RecordedResource): Due | undefined {
  const { procedure: progress } = records;
  if (!hasLifecycle(definition, "procedure") || progress === undefined) return undefined;
  return definition.life.due?.({ connection, inputs, progress });
}

/** The end of a procedure's result, if it has passed. A procedure that must continue checks this itself. */
export function expiredOutput({ definition, connection, records }: RecordedResource) {
  const { procedure, pending } = records;
  if (!hasLifecycle(definition, "procedure") || procedure === undefined || pending !== undefined)
    return undefined;
  const { lastsUntil: output } = definition.life;
  const end = output && procedure[wireName(output, definition.service.naming)];
  if (output === undefined || typeof end !== "string") return undefined;
  return Date.parse(end) <= connection.runtime.now() ? { output, end } : undefined;
}
