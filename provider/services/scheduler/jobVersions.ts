import {
  type Address,
  get,
  isObject,
  isSuccess,
  type ObjectHookContext,
  type Observation,
  send,
  wholeIn,
} from "../../core";
import { inScope } from "./service";

/**
 * The stored versions of a job, oldest first (specification: List job versions). If someone registered again before our
 * read-back, they still contain the result of our own register.
 */
export async function jobVersions(
  context: ObjectHookContext,
  address: Address,
): Promise<readonly Observation["body"][]> {
  const route = get("/job/{jobId}/versions", { query: inScope });
  const answer = await send(context, route, address, { nature: "read" });
  if (!isSuccess(answer) || !isObject(answer.json) || !Array.isArray(answer.json.Versions)) return [];
  const indexOf = ({ JobModifyIndex }: Observation["body"]) => wholeIn(JobModifyIndex) ?? 0n;
  return answer.json.Versions.filter(isObject).sort((one, other) => Number(indexOf(one) - indexOf(other)));
}
