import type { Json } from "../../value/json";
import { waited } from "./snapshots";

/** Pages that were asked for, and what is left of their list. */
export interface Asked {
  readonly items: Iterable<readonly [key: string, item: Json]>;
  /** How many requests they took. */
  readonly requests: number;
  readonly left: "more" | number;
}

/** Where the pages of a list come from. */
export interface PageSource {
  /** The next page, the first one first. */
  page(signal: AbortSignal): Promise<Asked>;
  /** All pages that are left. */
  rest(signal: AbortSignal): Promise<Asked>;
}

/** One list of a service as a refresh reads it: only as far as that spares requests. */
export class SharedList {
  readonly #items = new Map<string, Json>();
  #left: "unasked" | "more" | number = "unasked";
  #asked = 0;
  #made = 0;
  #waiting = 0;
  /** The pages that are under way, and what ends them. */
  #underWay: { readonly done: Promise<void>; readonly ending: AbortController } | undefined;

  constructor(private readonly source: PageSource) {}

  /**
   * What the list shows under a key; undefined where the object itself is to be asked for: it does not show it, it is not
   * worth its pages, or it cannot be read.
   * @param ended aborted where its asker waits no more
   */
  async find(key: string, ended: AbortSignal): Promise<Json | undefined> {
    this.#asked += 1;
    this.#waiting += 1;
    try {
      for (;;) {
        const item = this.#items.get(key);
        if (item !== undefined || ended.aborted) return item;
        if (this.#underWay === undefined) {
          const step = nextStep({
            asked: this.#asked,
            waiting: this.#waiting,
            made: this.#made,
            left: this.#left,
          });
          if (step === "itself") {
            this.#made += 1;
            return undefined;
          }
          this.#begin(step);
        }
        if (this.#underWay !== undefined) await waited(this.#underWay.done, ended);
      }
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#underWay?.ending.abort();
    }
  }

  #begin(step: "page" | "rest"): void {
    const ending = new AbortController();
    const asked = this.source[step](ending.signal);
    const done = asked.then(
      ({ items, requests, left }) => {
        for (const [key, item] of items) this.#items.set(key, item);
        this.#made += requests;
        this.#left = left;
      },
      () => {
        // Why does not matter: whoever asks for the object itself is told what is wrong with that.
        this.#made += 1;
        this.#left = 0;
      },
    );
    this.#underWay = {
      ending,
      done: done.then(() => {
        this.#underWay = undefined;
      }),
    };
  }
}

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
