import type { Json } from "../../value/json";
import { nextStep } from "./plan";
import { waited } from "./waiting";

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
