/** How far a list is read, and for how many. */
export interface Progress {
  /** How many reads were asked for, those that wait included. */
  readonly asked: number;
  /** How many of them have no answer yet. */
  readonly waiting: number;
  /** How many requests were made for them: pages, and reads of single objects. */
  readonly made: number;
  /** How many pages are left; `more` where only the page before tells whether there is another one. */
  readonly left: "unasked" | "more" | number;
}

/** What to do for a read whose object no page has shown yet. */
export type Step =
  /** Ask for the object itself. */
  | "itself"
  /** Ask for the next page, the first one where none was. */
  | "page"
  /** Ask for all pages that are left. */
  | "rest";

/**
 * Whether a list is worth its pages. Nobody knows how many reads will come, and they come a few at a time, so that none
 * can be gathered: a read that is alone asks for its object; the second one has the first page asked for, which tells how
 * many there are; and the rest is asked for once it cannot come to more than two requests for each read. So that a
 * refresh never makes more than twice the fewest requests, which are one for each read, or one for each page.
 */
export function nextStep({ asked, waiting, made, left }: Progress): Step {
  if (left === "unasked") return asked > 1 ? "page" : "itself";
  // One page at a time, as long as everybody who waits can still be asked for alone.
  if (left === "more") return made + 1 + waiting <= 2 * asked ? "page" : "itself";
  return left > 0 && made + left <= 2 * asked ? "rest" : "itself";
}
