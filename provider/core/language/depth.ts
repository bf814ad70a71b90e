import { MOST_SEGMENTS, tooDeepIn, tooDeepInText } from "../value/depth";
import { formatPath } from "../value/path";
import { DEEPEST } from "../value/scan";
import type { Problem } from "./rules";

/**
 * What of a program's inputs is nested too deep, as a value or as JSON text. Nothing here recurses, so that it can be
 * asked before anything else.
 */
export function depthProblems(inputs: Readonly<Record<string, unknown>>): Problem[] {
  return Object.entries(inputs).flatMap(([name, value]) => {
    const path = typeof value === "string" ? tooDeepInText(value, DEEPEST) : tooDeepIn(value, DEEPEST);
    if (path === undefined) return [];
    const begins = `${formatPath([name, ...path.slice(0, MOST_SEGMENTS)])}…`;
    return [{ path: begins, reason: `is nested deeper than ${DEEPEST} levels` }];
  });
}
