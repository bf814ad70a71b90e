import type { Program } from "../../../cli/programs/program";
import type { FunctionDefinition } from "../../../provider/core/functions/define";
import type { AnyDefinition } from "../../../provider/core/language/resource";
import { describeFunction } from "../functions";
import { readProgram } from "./read";
import { smallestCall, smallestProgram } from "./smallest";

/** Programs that use features of the TypeScript SDK only: filter builders and page-by-page lists. */
const ONLY_TYPESCRIPT = ["scheduler:getJobs", "scheduler:watchJobs"];

/**
 * An example for each resource and each function in the schema that has no replacement: the handwritten example of its page,
 * or else the smallest program.
 * @param sources the handwritten examples, by token
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
