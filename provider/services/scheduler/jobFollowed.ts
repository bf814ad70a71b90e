import {
  type Address,
  AdvisedError,
  amountIn,
  get,
  isObject,
  type Json,
  type ObjectHookContext,
  refreshFirst,
  upAgain,
  wordIn,
} from "../../core";
import { inScope } from "./service";

/** A document of the service, by its members. */
export type Members = { readonly [member: string]: Json };

/** What is waited for. */
export interface Waiting {
  readonly context: ObjectHookContext;
  readonly address: Address;
  readonly job: Members;
  readonly name: string;
}

/**
 * Where a job has no deployment it may have none to wait for, or somebody was there before its deployment was.
 * @throws Error where the service does not hold what was registered any more.
 */
export async function stillOurs({ context, address, job, name }: Waiting): Promise<void> {
  const now = (await context.observe(address))?.body;
  const never = (why: string) =>
    new AdvisedError(`${name} as it was registered was never deployed: ${why}.`, [refreshFirst(SHOWN_FIRST)]);
  if (now === undefined) throw never("it is gone; somebody else purged it");
  if (now.Stop === true && job.Stop !== true) throw never("it was stopped by somebody else");
  if (wordIn(now.JobModifyIndex) !== wordIn(job.JobModifyIndex))
    throw never("another version of it is registered by somebody else");
}

/** What to run where somebody else has registered the job since. */
export const SHOWN_FIRST = "pulumi refresh, which shows what is there, then pulumi up";

/** A list of the job's evaluations, deployments or allocations, to be followed. */
export function listOf({ address }: Waiting, of: "evaluations" | "deployments" | "allocations") {
  return { route: get(`/job/{jobId}/${of}`, { query: inScope }), address };
}

/** The documents in such a list. */
export function members(answer: Json): Members[] {
  return Array.isArray(answer) ? answer.filter(isObject) : [];
}

/** The one that was made last. */
export function newest(found: readonly Members[]): Members | undefined {
  return found.reduce<Members | undefined>(
    (last, next) => (amountIn(next.CreateIndex) >= amountIn(last?.CreateIndex ?? -1) ? next : last),
    undefined,
  );
}

/** The beginning of an id, by which people know one. */
export function short(id: Json | undefined): string {
  return wordIn(id).slice(0, 8);
}

/** Says that the operation's time is over, and on what it was spent. */
export function overdue(what: string, details: readonly string[] = []): Error {
  const end = "after as long as this operation may take (timeouts); the job is registered.";
  return new AdvisedError([`${what} ${end}`, ...details.map((line) => `  ${line}`)].join("\n"), [
    upAgain(", which goes on waiting"),
  ]);
}
