import {
  ActionableError,
  editProgram,
  errorFrom,
  get,
  type HookContext,
  isObject,
  isSuccess,
  listElements,
  listRequestOf,
  manualCheck,
  type ProcedureInput,
  type ProcedureProgress,
  post,
  probeAfter,
  rerunUp,
  type ServiceError,
  sendOnce,
  stringIn,
} from "../../core";
import { document, entriesByKey, toOne } from "./jsonApi";
import { applyPlan } from "./runApply";
import {
  followRun,
  hasFailed,
  isConfirmable,
  isRun,
  known,
  type RunBody,
  readRun,
  workspaceIn,
} from "./runStatus";
import { workspaces } from "./service";
import { documentsIn } from "./workspaceGone";

const queue = post("/runs");
const runs = get("/workspaces/{workspaceId}/runs");

/** The message of a run if the program has none. */
export const MESSAGE = "Queued by Pulumi";

const asDocument = document("runs", {
  workspace: toOne("workspace", "workspaces"),
  "configuration-version": toOne("configuration-version", "configuration-versions"),
});

/**
 * Queues a run, or continues with the run of an earlier `pulumi up`, and waits for it.
 * @throws ActionableError if the run fails or does not end in time; the state then contains the run
 */
export async function queueAndFollow(work: ProcedureInput): Promise<ProcedureProgress> {
  const marker = ownMarker(work);
  const run = (await existingRun(work)) ?? (await queueRun(work, marker));
  work.save(known(run, marker));
  const planned = await followRun(work, run, marker, "planned");
  // A run without changes has ended with its plan, and someone else may have applied it.
  if (work.inputs.waitFor === "planned" || !isConfirmable(planned)) return known(planned, marker);
  await applyPlan(work, planned);
  return known(await followRun(work, planned, marker, "applied"), marker);
}

/** Reads the status of the run. A run that the server does not show keeps its last status. */
export async function readAgain({ context, address, progress }: ProcedureInput): Promise<ProcedureProgress> {
  if (typeof progress.id !== "string") return progress;
  const run = await readRun(context, { ...address, runId: progress.id });
  return run === undefined ? progress : known(run, stringIn(progress.marker));
}

/** The random ID of this run: that of an earlier `pulumi up`, unless its run has failed. */
function ownMarker({ context, progress }: ProcedureInput): string {
  if (continues(progress)) return stringIn(progress.marker);
  const random = Math.floor(context.connection.runtime.random() * 2 ** 48);
  return random.toString(16).padStart(12, "0");
}

/** True if an earlier `pulumi up` queued a run, or may have, that has not failed. */
function continues({ marker, status }: ProcedureProgress): boolean {
  return typeof marker === "string" && !hasFailed(stringIn(status));
}

/**
 * The run of an earlier `pulumi up`, by its ID or by the marker in its message.
 * @throws ActionableError if the server no longer shows a run that it has shown
 */
async function existingRun(work: ProcedureInput): Promise<RunBody | undefined> {
  const { progress, context, address } = work;
  if (!continues(progress)) return undefined;
  if (typeof progress.id !== "string") {
    const { run, isHidden } = await findRun(context, work, stringIn(progress.marker));
    if (isHidden) throw withoutMessages(work);
    return run;
  }
  const run = await readRun(context, { ...address, runId: progress.id });
  if (run !== undefined) return run;
  throw new ActionableError(
    `${workspaceIn(address)}: the server does not show run ${progress.id}.`,
    [
      manualCheck("Check that the token has Read permission on runs of the workspace."),
      editProgram("change triggers to queue another run"),
    ],
    { outcome: "unknown" },
  );
}

/**
 * Queues the run with one request.
 * @throws ActionableError if the response is lost and the server does not show the run
 */
async function queueRun(work: ProcedureInput, marker: string): Promise<RunBody> {
  const { context, address, body, progress } = work;
  work.save({ ...progress, marker });
  const { message, variables, ...attributes } = body;
  const request = asDocument({
    ...attributes,
    // Without it, a workspace that applies by itself would apply the plan, whatever `waitFor` is.
    "auto-apply": false,
    ...(isObject(variables) && { variables: entriesByKey(variables) }),
    message: `${stringIn(message ?? MESSAGE)} (${marker})`,
    workspace: address.workspaceId ?? "",
  });
  const { answer, lost } = await sendOnce(context, queue, address, request).catch((error: unknown) => {
    work.save(progress);
    throw error;
  });
  if (lost !== undefined) return afterLostResponse(work, marker, lost);
  if (!isSuccess(answer)) {
    work.save(progress);
    throw errorFrom(context, answer, queue, address);
  }
  const run = workspaces.unwrap(answer.json ?? null);
  if (isRun(run)) return run;
  return afterLostResponse(work, marker, errorFrom(context, answer, queue, address));
}

async function afterLostResponse(work: ProcedureInput, marker: string, lost: ServiceError): Promise<RunBody> {
  const { context, address } = work;
  const found = await probeAfter(context, lost, async (asking) => {
    const found = await findRun(asking, work, marker);
    return { isApplied: found.run !== undefined || found.isHidden, found };
  }).catch(() => undefined);
  if (found?.run !== undefined) return found.run;
  if (found?.isHidden) throw withoutMessages(work, lost);
  throw new ActionableError(
    `${workspaceIn(address)}: the response to the queue request was lost: ${lost.summary} The workspace shows no run with ${marker} in its message.`,
    [
      rerunUp(" to look for the run again, and to queue it if it does not exist"),
      manualCheck(`Search the runs of the workspace for ${marker}.`),
    ],
    { outcome: "unknown" },
  );
}

/** The error for a run that cannot be found: another one could apply the same changes twice. */
function withoutMessages({ address }: ProcedureInput, lost?: ServiceError): ActionableError {
  const reason = lost === undefined ? "." : `: ${lost.summary}`;
  return new ActionableError(
    `${workspaceIn(address)}: the response to the queue request was lost${reason} The server shows no messages of runs, so it is unknown whether it queued the run.`,
    [
      manualCheck("Apply or discard the run on the server, if it exists."),
      editProgram("change triggers to queue another run"),
    ],
    { outcome: "unknown" },
  );
}

/** The result of a search for a run. */
interface Found {
  readonly run?: RunBody;
  /** True if it may be one of the runs whose message the server does not show (OTF stores none). */
  readonly isHidden: boolean;
}

/** The first run of the workspace whose message contains the marker. */
async function findRun(context: HookContext, { address }: ProcedureInput, marker: string): Promise<Found> {
  // Servers without this search return all runs.
  const list = listRequestOf(context, runs, address, { "search[basic]": marker });
  const all: RunBody[] = [];
  for await (const run of listElements(list, { by: "number" }, documentsIn)) {
    const body = workspaces.unwrap({ data: run });
    if (isRun(body)) all.push(body);
  }
  const own = all.filter(({ message = null }) => stringIn(message).endsWith(`(${marker})`));
  // The newest run comes first. Of two runs, the earlier one is the first copy of a request that arrived twice.
  const [first, ...others] = own.reverse();
  if (others.length > 0)
    context.log(
      "warning",
      `the server queued the run more than once: discard ${others.map(({ id }) => id).join(", ")}`,
      { changedBy: "unknown" },
    );
  if (first !== undefined) return { run: first, isHidden: false };
  return { isHidden: all.some(({ message = null }) => stringIn(message) === "") };
}
