import {
  type Address,
  get,
  isObject,
  isSuccess,
  type ObjectHookContext,
  type Observation,
  send,
  wholeIn,
  wordIn,
} from "../../core";
import { inScope } from "./service";

/** The stored versions of a job (specification: List job versions); none if the service does not show them. */
async function versionsOf(context: ObjectHookContext, address: Address): Promise<Observation["body"][]> {
  const route = get("/job/{jobId}/versions", { query: inScope });
  const answer = await send(context, route, address, { nature: "read" });
  if (!isSuccess(answer) || !isObject(answer.json) || !Array.isArray(answer.json.Versions)) return [];
  return answer.json.Versions.filter(isObject);
}

/**
 * The job as one register created it. If someone registered again before our read-back, the job's versions still contain the
 * result of our own register.
 */
export async function exactVersion(
  context: ObjectHookContext,
  address: Address,
  index: string | undefined,
): Promise<Observation["body"] | undefined> {
  const versions = await versionsOf(context, address);
  return versions.find(({ JobModifyIndex }) => wordIn(JobModifyIndex) === index);
}

/** The job as the first register after an index created it. */
export async function firstVersionSince(
  context: ObjectHookContext,
  address: Address,
  index = "0",
): Promise<Observation["body"] | undefined> {
  const indexOf = ({ JobModifyIndex }: Observation["body"]) => wholeIn(JobModifyIndex) ?? 0n;
  const later = (await versionsOf(context, address)).filter((job) => indexOf(job) > BigInt(index));
  return later.sort((one, other) => Number(indexOf(one) - indexOf(other)))[0];
}
