import type { StubRequest } from "../../service";

const DEFAULT_PAGE_SIZE = 20;
const GREATEST_PAGE_SIZE = 100;

/** One page of a list, in the envelope of the section "Pagination envelope". */
export function page<Item>(
  request: StubRequest,
  items: readonly Item[],
  render: (item: Item) => unknown,
): { readonly data: readonly unknown[]; readonly links: unknown; readonly meta: unknown } {
  const size = Math.min(positive(request.query.get("page[size]"), DEFAULT_PAGE_SIZE), GREATEST_PAGE_SIZE);
  const number = positive(request.query.get("page[number]"), 1);
  const total = Math.max(1, Math.ceil(items.length / size));
  const previous = number > 1 ? Math.min(number - 1, total) : null;
  const next = number < total ? number + 1 : null;
  const link = (target: number) => pageUrl(request, target, size);
  return {
    data: items.slice((number - 1) * size, number * size).map(render),
    links: {
      self: link(number),
      first: link(1),
      prev: previous === null ? null : link(previous),
      next: next === null ? null : link(next),
      last: link(total),
    },
    meta: {
      pagination: {
        "current-page": number,
        "page-size": size,
        "prev-page": previous,
        "next-page": next,
        "total-pages": total,
        "total-count": items.length,
      },
    },
  };
}

function positive(text: string | null, fallback: number): number {
  const value = Number(text);
  return Number.isInteger(value) && value > 0 ? value : fallback;
}

function pageUrl(request: StubRequest, number: number, size: number): string {
  const query = new URLSearchParams(request.query);
  query.set("page[number]", String(number));
  query.set("page[size]", String(size));
  return `http://${request.headers.host ?? "localhost"}${request.path}?${query}`;
}
