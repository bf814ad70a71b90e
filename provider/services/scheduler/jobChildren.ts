import {
  type Address,
  type Deleted,
  del,
  filledQuery,
  isObject,
  listElements,
  listRequestOf,
  type ObjectHookContext,
  removeOnce,
  stringIn,
  type Values,
  withoutStack,
} from "../../core";
import { knownJobOf } from "./jobForms";
import { jobListing } from "./jobListing";
import { inScope } from "./service";

/** The request that stops a job, or removes it with `purge`. */
export const jobRemoval = del("/job/{jobId}", {
  query: inScope,
  steer: ({ purge, global }) => ({
    query: { purge: String(purge === true), ...(global === true && { global: "true" }) },
  }),
});

/** The maximum number of child jobs that a warning lists. */
const MOST_NAMED = 10;

/** Lists or stops the child jobs, which keep running after their periodic or parameterized parent is deleted. */
export async function afterDeregister(
  context: ObjectHookContext,
  { address, inputs, lastObserved }: Deleted,
): Promise<void> {
  if (!launchesChildren([isObject(lastObserved.json) ? lastObserved.json : {}, knownJobOf(inputs) ?? {}]))
    return;
  if (inputs.stopChildren === true) {
    for (const jobId of await runningChildren(context, address))
      await stop(context, { ...address, jobId }, inputs);
    return;
  }
  try {
    const children = await runningChildren(context, address);
    if (children.length > 0) context.log("warning", stillRunning(children));
  } catch (error) {
    // The job itself is already deleted, so this error is only a warning.
    context.log(
      "warning",
      `the child jobs could not be listed and may still be running: ${withoutStack(error).message}`,
    );
  }
}

/** The observed job omits empty blocks, so the job that the program wrote counts too. */
function launchesChildren(jobs: readonly Values[]): boolean {
  return jobs.some(({ Periodic, ParameterizedJob }) => isObject(Periodic) || isObject(ParameterizedJob));
}

/** The IDs of the child jobs that are not dead. */
async function runningChildren(context: ObjectHookContext, address: Address): Promise<string[]> {
  const { route, pages, items } = jobListing;
  const { jobId = "", ...scope } = address;
  const query = { ...filledQuery(route.query ?? {}, scope), prefix: `${jobId}/` };
  const request = listRequestOf(context, route, scope, query);
  const ids: string[] = [];
  for await (const stub of listElements(request, pages(context.connection), items)) {
    const { ID, ParentID, Status } = isObject(stub) ? stub : {};
    if (ParentID === jobId && Status !== "dead") ids.push(stringIn(ID));
  }
  return ids;
}

async function stop(context: ObjectHookContext, address: Address, { purge }: Values): Promise<void> {
  const isGone = async (asking: ObjectHookContext) => {
    const { body } = (await asking.observe(address)) ?? {};
    return body === undefined || (body.Stop === true && purge !== true);
  };
  const route = del("/job/{jobId}", { query: { ...inScope, purge: String(purge === true) } });
  await removeOnce(context, route, address, { isGone });
}

function stillRunning(children: readonly string[]): string {
  const named = children.slice(0, MOST_NAMED).map((id) => JSON.stringify(id));
  const more = children.length > named.length ? [`${children.length - named.length} more`] : [];
  const count = children.length === 1 ? "1 child job is" : `${children.length} child jobs are`;
  return (
    `the job is deleted, but ${count} still running: ${[...named, ...more].join(", ")}; ` +
    "stop each child job with nomad job stop; next time, set stopChildren: true before the delete"
  );
}
