import type { Course } from "./cell";
import type { Outcome } from "./rules";

/** What is wrong with how a life went, or how it ended where nothing is. */
export type Verdict = { readonly outcome: Outcome } | { readonly wrong: string };

/**
 * Judges a life with a fault by the same life without one, and each of its words by what the service really did.
 */
export function judge(course: Course, free: Course, isUpdated: boolean): Verdict {
  const { told, ways, end, requests } = course;
  if (!course.happened) return { wrong: "the fault never happened" };
  const falseWord = told instanceof Error ? falseWordOf(told, requests) : undefined;
  if (falseWord !== undefined) return { wrong: falseWord };
  if (end.isThere !== free.end.isThere)
    return { wrong: end.isThere ? "it is there in the end" : "it is gone in the end" };
  if (!end.isQuietAtLast) return { wrong: "it is never quiet" };
  // Who takes something over, or puts it right, may leave what the program does not write as it is.
  if (end.dump !== free.end.dump) return { wrong: "the service holds something else in the end" };
  if (!end.isQuiet) return { outcome: "put right" };
  if (told === undefined) return { outcome: "unharmed" };
  if (isUpdated && ways.includes("overwrite")) return { wrong: "our own write was told as somebody else's" };
  if (ways.includes("take away")) return { outcome: "by hand" };
  return { outcome: ways.includes("adopt") ? "decided" : "told" };
}

/** A sentence of an error that is not so. */
function falseWordOf(told: Error, requests: Course["requests"]): string | undefined {
  const wasWritten = requests.some(
    ({ isRead, carriedOut, status = 0 }) => !isRead && carriedOut > 0 && status < 300,
  );
  if (wasWritten && /nothing was written/i.test(told.message)) return `false: ${told.message}`;
  return undefined;
}
