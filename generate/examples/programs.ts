import type { Program } from "../../programs/program";
import type { FunctionDefinition } from "../../provider/core/functions/define";
import type { AnyDefinition } from "../../provider/core/language/resource";
import { describeFunction } from "../functions";
import { readProgram } from "./read";
import { smallestCall, smallestProgram } from "./smallest";

/** Programs that show what only the SDK of TypeScript has: filters that are put together, lists page by page. */
const ONLY_TYPESCRIPT = ["scheduler:getJobs", "scheduler:watchJobs"];

/**
 * A program for each resource, and each function that the schema has and that is to be used: what somebody wrote for its
 * page, else the smallest.
 * @param sources those that somebody wrote, by token
 */
export function programsOf(
  definitions: readonly AnyDefinition[],
  functions: readonly FunctionDefinition[],
  sources: Readonly<Record<string, string>>,
): ReadonlyMap<string, Program> {
  const written = (token: string): Program | undefined => {
    const source = ONLY_TYPESCRIPT.includes(token) ? undefined : sources[token];
    return source === undefined ? undefined : readProgram(source);
  };
  return new Map([
    ...definitions.map((one) => [one.token, written(one.token) ?? smallestProgram(one)] as const),
    ...functions
      .filter(({ asks, replaced }) => asks.kind !== "watch" && replaced === undefined)
      .map((one) => [one.token, written(one.token) ?? smallestCall(describeFunction(one))] as const),
  ]);
}
