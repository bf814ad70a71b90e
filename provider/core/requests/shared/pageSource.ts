import { type ListRequest, type Page, type PageStyle, pageAt } from "../../http/paging";
import type { HttpAnswer } from "../../http/request";
import { isObject, type Json } from "../../value/json";
import type { Asked, PageSource } from "./sharedList";

type Item = readonly [key: string, item: Json];

/** The pages of a list, requested in the page style of the service. */
export class ListPages implements PageSource {
  /** The server's name for the next page; undefined for the first page. */
  #at: string | undefined;
  /** The number of pages, if the first page reports it. */
  #pages = 0;

  constructor(
    private readonly listing: (signal: AbortSignal) => ListRequest,
    private readonly style: PageStyle,
    private readonly items: (page: HttpAnswer) => Iterable<Item>,
  ) {}

  async page(signal: AbortSignal): Promise<Asked> {
    const page = await pageAt(this.listing(signal), this.style, this.#at);
    const { next } = page;
    this.#at = next;
    this.#pages = this.style.by === "number" && next !== undefined ? pagesIn(page) : 0;
    const left = next === undefined ? 0 : this.#pages === 0 ? "more" : this.#pages - Number(next) + 1;
    return { items: this.items(page.answer), requests: 1, left };
  }

  async rest(signal: AbortSignal): Promise<Asked> {
    const first = Number(this.#at);
    const numbers = Array.from({ length: this.#pages - first + 1 }, (_, index) => String(first + index));
    const found = await Promise.all(
      numbers.map((number) => pageAt(this.listing(signal), this.style, number)),
    );
    const items = found.flatMap(({ answer }) => [...this.items(answer)]);
    return { items, requests: found.length, left: 0 };
  }
}

/** The number of pages that a list reports; 0 if it reports none. */
function pagesIn({ answer: { json } }: Page): number {
  const meta = isObject(json) && isObject(json.meta) ? json.meta.pagination : undefined;
  const total = isObject(meta) ? meta["total-pages"] : undefined;
  return typeof total === "number" ? total : 0;
}
