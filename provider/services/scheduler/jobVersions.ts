import {
  type Address,
  get,
  isObject,
  isSuccess,
  type ObjectHookContext,
  type Observation,
  send,
  wordIn,
} from "../../core";
import { inScope } from "./service";

/**
 * The job as one register created it (specification: List job versions). If someone registered again before our read-back,
 * the job's versions still contain the result of our own register.
 */
export async function exactVersion(
  context: ObjectHookContext,
  address: Address,
  index: string | undefined,
): Promise<Observation["body"] | undefined> {
  const route = get("/job/{jobId}/versions", { query: inScope });
  const answer = await send(context, route, address, { nature: "read" });
  if (!isSuccess(answer) || !isObject(answer.json) || !Array.isArray(answer.json.Versions)) return undefined;
  const version = answer.json.Versions.find((job) => isObject(job) && wordIn(job.JobModifyIndex) === index);
  return isObject(version) ? version : undefined;
}
