import { type ListRequest, type PageStyle, pageAt } from "../../http/paging";
import type { HttpResponse } from "../../http/request";
import type { Json } from "../../value/json";
import { waitForShared } from "./snapshots";

/** Requested pages, and the number of pages that remain. */
export interface RequestedPages {
  readonly items: Iterable<readonly [key: string, item: Json]>;
  /** The number of requests sent for them. */
  readonly requests: number;
  readonly left: "more" | number;
}

/** The source of a list's pages. */
export interface PageSource {
  /** Requests the next page, starting with the first one. */
  page(signal: AbortSignal): Promise<RequestedPages>;
  /** Requests all remaining pages. */
  rest(signal: AbortSignal): Promise<RequestedPages>;
}

/** One list of a service, which a refresh reads only as far as this saves requests. */
export class SharedList {
  readonly #items = new Map<string, Json>();
  /** The number of remaining pages; `more` if only the previous page shows whether there is a next one. */
  #left: "unasked" | "more" | number = "unasked";
  /** The number of reads so far, including those that wait. */
  #asked = 0;
  /** The number of requests sent for these reads: pages, and reads of single objects. */
  #made = 0;
  /** The number of reads that wait for a response. */
  #waiting = 0;
  /** The pages being requested, and the controller that cancels them. */
  #underWay: { readonly done: Promise<void>; readonly ending: AbortController } | undefined;

  constructor(private readonly source: PageSource) {}

  /**
   * The entry under a key. Undefined if the object needs its own read: the list does not show it, the pages would cost too
   * many requests, or the list cannot be read.
   * @param ended aborts when the caller stops waiting
   */
  async find(key: string, ended: AbortSignal): Promise<Json | undefined> {
    this.#asked += 1;
    this.#waiting += 1;
    try {
      for (;;) {
        const item = this.#items.get(key);
        if (item !== undefined || ended.aborted) return item;
        if (this.#underWay === undefined) {
          const step = this.#nextStep();
          if (step === "itself") {
            this.#made += 1;
            return undefined;
          }
          this.#begin(step);
        }
        if (this.#underWay !== undefined) await waitForShared(this.#underWay.done, ended);
      }
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#underWay?.ending.abort();
    }
  }

  /**
   * The next step for a read whose object no page has shown yet: read the object itself, or request the next page or all
   * remaining pages. The number of reads is unknown in advance, and reads arrive a few at a time, so they cannot be batched. A
   * single read requests its object. The second read requests the first page, which reports the number of pages. The
   * remaining pages follow as soon as the total is at most two requests per read. A refresh therefore never sends more than
   * twice the minimum number of requests, which is one per read or one per page.
   */
  #nextStep(): "itself" | "page" | "rest" {
    const left = this.#left;
    const most = 2 * this.#asked;
    if (left === "unasked") return this.#asked > 1 ? "page" : "itself";
    // Request one page at a time, while every waiting read can still be sent alone within the limit.
    if (left === "more") return this.#made + 1 + this.#waiting <= most ? "page" : "itself";
    return left > 0 && this.#made + left <= most ? "rest" : "itself";
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
        // The cause does not matter: the object's own read reports its own error.
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

type Item = readonly [key: string, item: Json];

/** The pages of a list, requested in the page style of the service. */
export class ListPages implements PageSource {
  /** The server's name for the next page; undefined for the first page. */
  #at: string | undefined;
  /** The number of pages, if a page reports it; otherwise 0. */
  #pages = 0;

  constructor(
    private readonly listing: (signal: AbortSignal) => ListRequest,
    private readonly style: PageStyle,
    private readonly items: (page: HttpResponse) => Iterable<Item>,
  ) {}

  async page(signal: AbortSignal): Promise<RequestedPages> {
    const { answer, next, pages = 0 } = await pageAt(this.listing(signal), this.style, this.#at);
    this.#at = next;
    this.#pages = pages;
    const left = next === undefined ? 0 : this.#pages === 0 ? "more" : this.#pages - Number(next) + 1;
    return { items: this.items(answer), requests: 1, left };
  }

  async rest(signal: AbortSignal): Promise<RequestedPages> {
    const first = Number(this.#at);
    const numbers = Array.from({ length: this.#pages - first + 1 }, (_, index) => String(first + index));
    const found = await Promise.all(
      numbers.map((number) => pageAt(this.listing(signal), this.style, number)),
    );
    const items = found.flatMap(({ answer }) => [...this.items(answer)]);
    return { items, requests: found.length, left: 0 };
  }
}
