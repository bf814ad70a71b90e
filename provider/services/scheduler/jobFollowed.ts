import {
  ActionableError,
  type Address,
  amountIn,
  get,
  isObject,
  type Json,
  type ObjectHookContext,
  refreshFirst,
  rerunUp,
  stringIn,
} from "../../core";
import { inScope } from "./service";

/** A JSON object from Nomad, by member name. */
export type Members = { readonly [member: string]: Json };

/** The job that an operation waits for. */
export interface Waiting {
  readonly context: ObjectHookContext;
  readonly address: Address;
  readonly job: Members;
  readonly name: string;
}

/**
 * Checks that the registered version of a job without a deployment is still current. Such a job may need no deployment, or
 * someone changed it before Nomad deployed it.
 * @throws Error if the server no longer has the registered version.
 */
export async function stillOurs({ context, address, job, name }: Waiting): Promise<void> {
  const now = (await context.observe(address))?.body;
  const never = (why: string) =>
    new ActionableError(
      `${name}: the registered version was never deployed: ${why}.`,
      [refreshFirst(SHOWN_FIRST)],
      { outcome: "applied", changedBy: "someoneElse" },
    );
  if (now === undefined) throw never("someone else purged the job");
  if (now.Stop === true && job.Stop !== true) throw never("someone else stopped the job");
  if (stringIn(now.JobModifyIndex) !== stringIn(job.JobModifyIndex))
    throw never("someone else registered a different version");
}

/** The next step if someone else has registered the job since. */
export const SHOWN_FIRST = "pulumi refresh to show the current job, then pulumi up";

/** The route and the address of a list of the job's evaluations, deployments or allocations. */
export function listOf({ address }: Waiting, of: "evaluations" | "deployments" | "allocations") {
  return { route: get(`/job/{jobId}/${of}`, { query: inScope }), address };
}

/** The objects in such a list. */
export function members(answer: Json): Members[] {
  return Array.isArray(answer) ? answer.filter(isObject) : [];
}

/** The object with the highest `CreateIndex`. */
export function newest(found: readonly Members[]): Members | undefined {
  return found.reduce<Members | undefined>(
    (last, next) => (amountIn(next.CreateIndex) >= amountIn(last?.CreateIndex ?? -1) ? next : last),
    undefined,
  );
}

/** The short form of an ID that people recognize: its first 8 characters. */
export function short(id: Json | undefined): string {
  return stringIn(id).slice(0, 8);
}

/** The error for an operation that exceeded its timeout, with details of the wait. */
export function overdue(what: string, details: readonly string[] = []): Error {
  const end = "after the timeout of this operation (timeouts). The job is registered.";
  return new ActionableError(
    [`${what} ${end}`, ...details.map((line) => `  ${line}`)].join("\n"),
    [rerunUp(" to continue waiting")],
    { outcome: "applied" },
  );
}
