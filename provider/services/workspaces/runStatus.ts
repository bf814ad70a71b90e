import {
  ActionableError,
  type Address,
  errorFrom,
  errorOfRead,
  follow,
  get,
  type HookContext,
  isObject,
  isSuccess,
  type Json,
  type ProcedureInput,
  type ProcedureProgress,
  rerunUp,
  send,
  stringIn,
} from "../../core";
import { notInResponse } from "./notInResponse";
import { workspaces } from "./service";

/** A run in a response, as one flat object. */
export type RunBody = { readonly [member: string]: Json } & {
  readonly id: string;
  readonly status: string;
  readonly actions?: { readonly [action: string]: Json };
};

const one = get("/runs/{runId}");

/** The end of a run that only plans, if a soft mandatory policy rejects its plan. */
const POLICY_FAILED = "policy_soft_failed";

/** The ends that someone else causes. */
const ENDED_BY_OTHERS = new Set(["canceled", "force_canceled", "discarded"]);

/** The statuses after which a run changes no more (HCP Terraform API: Run states). */
const FAILED = new Set(["errored", "canceled", "force_canceled", "discarded", POLICY_FAILED]);
const FINISHED = new Set(["applied", "planned_and_finished", "planned_and_saved"]);

/** The workspace of a run in messages: the resource has no ID of its own. */
export const workspaceIn = ({ workspaceId = "" }: Address): string => `workspace "${workspaceId}"`;

/** True if a run has ended without its result. */
export const hasFailed = (status: string): boolean => FAILED.has(status);

/** True if the plan of a run waits for its confirmation. */
export function isConfirmable({ actions }: RunBody): boolean {
  return actions?.["is-confirmable"] === true;
}

/** True if an object of a response is a run. */
export function isRun(body: { readonly [member: string]: Json }): body is RunBody {
  const { id, status, actions } = body;
  return typeof id === "string" && typeof status === "string" && (actions === undefined || isObject(actions));
}

/** What the state contains of a run. */
export function known(run: RunBody, marker: string): ProcedureProgress {
  const { id, status } = run;
  const changes = run["has-changes"];
  const created = run["created-at"];
  return {
    marker,
    id,
    status,
    ...(typeof changes === "boolean" && { "has-changes": changes }),
    ...(typeof created === "string" && { "created-at": created }),
  };
}

/**
 * Reads a run; undefined if the server does not show it.
 * @throws ServiceError for every other response
 */
export async function readRun(context: HookContext, address: Address): Promise<RunBody | undefined> {
  const answer = await send(context, one, address, { nature: "read" });
  if (answer.status === 404) return undefined;
  if (!isSuccess(answer)) throw errorFrom(context, answer, one, address);
  const run = workspaces.unwrap(answer.json ?? null);
  if (isRun(run) && run.id === address.runId) return run;
  throw errorOfRead(context, answer, one, address);
}

/**
 * Waits until the plan of a run is finished, or until the run has ended.
 * @throws ActionableError if the run fails, or does not get so far within the timeout
 */
export async function followRun(
  work: ProcedureInput,
  run: RunBody,
  marker: string,
  until: "planned" | "applied",
): Promise<RunBody> {
  const { context, address } = work;
  const place = { ...address, runId: run.id };
  const name = `${workspaceIn(address)}: run ${run.id}`;
  let last = run;
  const reached = await follow(
    context,
    { route: one, address: place },
    (answer) => {
      const now = workspaces.unwrap(answer);
      if (!isRun(now) || now.id !== run.id) throw notInResponse(name);
      last = now;
      work.save(known(now, marker));
      context.progress?.(`${now.status} (${now.id})`);
      const isPlanned = until === "planned" && isConfirmable(now);
      return isPlanned || FINISHED.has(now.status) || hasFailed(now.status) ? now : undefined;
    },
    () =>
      new ActionableError(
        `${name} is ${last.status} after the timeout of this operation (timeouts).`,
        [rerunUp(" to continue waiting")],
        { outcome: "applied" },
      ),
  );
  if (!hasFailed(reached.status)) return reached;
  throw new ActionableError(
    `${name} is ${reached.status}${reasonOf(reached)}.`,
    [rerunUp(" to queue another run")],
    {
      outcome: "applied",
      ...(ENDED_BY_OTHERS.has(reached.status) && { changedBy: "someoneElse" as const }),
    },
  );
}

/** The phase in which a run failed. */
function reasonOf({ status, "status-timestamps": times }: RunBody): string {
  if (status === POLICY_FAILED) return ": a policy rejects its plan; see the policy checks on the server";
  if (status !== "errored") return "";
  const isApplying = isObject(times) && stringIn(times["applying-at"]) !== "";
  return isApplying
    ? " during the apply; see its log on the server"
    : " during the plan; see its log on the server";
}
