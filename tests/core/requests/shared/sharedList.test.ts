import fc from "fast-check";
import {
  type PageSource,
  type RequestedPages,
  SharedList,
} from "../../../../provider/core/requests/shared/sharedList";
import { rounds } from "../../../rounds";

const forever = () => new AbortController().signal;

/** A service with a list of pages of two objects, which counts its requests. */
class Service implements PageSource {
  requests = 0;
  next = 0;

  constructor(
    readonly pages: number,
    private readonly reports: "how many" | "whether",
    private readonly delay: () => Promise<void> = async () => undefined,
  ) {}

  get objects(): string[] {
    return Array.from({ length: this.pages * 2 }, (_, index) => String(index));
  }

  async page(): Promise<RequestedPages> {
    this.requests += 1;
    await this.delay();
    const number = this.next++;
    const left = this.pages - number - 1;
    return {
      items: this.itemsOf(number),
      requests: 1,
      left: this.reports === "how many" || left === 0 ? left : "more",
    };
  }

  async rest(): Promise<RequestedPages> {
    const left = this.pages - this.next;
    this.requests += left;
    await this.delay();
    const numbers = Array.from({ length: left }, (_, index) => this.next + index);
    return { items: numbers.flatMap((number) => this.itemsOf(number)), requests: left, left: 0 };
  }

  async read(list: SharedList, key: string): Promise<string> {
    const item = await list.find(key, forever());
    if (item !== undefined) return `page: ${item}`;
    this.requests += 1;
    await this.delay();
    return `itself: ${key}`;
  }

  private itemsOf(page: number): [string, string][] {
    return [page * 2, page * 2 + 1].map((index) => [String(index), String(index)]);
  }
}

/** Runs all tasks, at most `atOnce` at a time. */
async function inFlight(atOnce: number, tasks: readonly (() => Promise<unknown>)[]): Promise<void> {
  const left = [...tasks];
  const worker = async () => {
    for (let task = left.shift(); task !== undefined; task = left.shift()) await task();
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** A pseudo-random number generator with a seed. */
function chanceFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 8;
  };
}

const sizes = fc.record({
  pages: fc.integer({ min: 1, max: 40 }),
  // The share of objects that are read. It is uniform, because few of many and all of few are the important cases.
  percent: fc.integer({ min: 0, max: 100 }),
  atOnce: fc.constantFrom(1, 2, 8, 64),
  seed: fc.nat(),
});

/** Refreshes a part of the objects in random order, and returns the number of requests. */
async function refreshed(
  { pages, percent, atOnce, seed }: SizesOf<typeof sizes>,
  reports: "how many" | "whether",
) {
  const chance = chanceFrom(seed);
  const service = new Service(pages, reports, async () => {
    for (let turns = chance() % 4; turns > 0; turns--) await Promise.resolve();
  });
  const list = new SharedList(service);
  const order = service.objects
    .map((key) => ({ key, at: chance() }))
    .sort((one, other) => one.at - other.at)
    .map(({ key }) => key);
  const asked = order.slice(0, Math.ceil((percent / 100) * order.length));
  const answers: string[] = [];
  await inFlight(
    atOnce,
    asked.map((key) => async () => {
      answers.push(await service.read(list, key));
    }),
  );
  expect(answers).toHaveLength(asked.length);
  expect(new Set(answers.map((answer) => answer.split(": ")[1]))).toEqual(new Set(asked));
  return { requests: service.requests, fewest: Math.min(asked.length, pages) };
}

type SizesOf<A> = A extends fc.Arbitrary<infer S> ? S : never;

describe("SharedList", () => {
  test("needs at most twice the minimum number of requests, for any objects in any order", async () => {
    await fc.assert(
      fc.asyncProperty(sizes, async (size) => {
        const { requests, fewest } = await refreshed(size, "how many");
        expect(requests).toBeLessThanOrEqual(2 * fewest);
      }),
      { numRuns: rounds(3_000, 200) },
    );
  });

  test("needs at most one more request if a page reports only whether another page exists", async () => {
    await fc.assert(
      fc.asyncProperty(sizes, async (size) => {
        const { requests, fewest } = await refreshed(size, "whether");
        expect(requests).toBeLessThanOrEqual(2 * fewest + 1);
      }),
      { numRuns: rounds(3_000, 200) },
    );
  });

  test.each([1, 8, 64])(
    "needs one read and one page for all objects of a one-page list, %i at a time",
    async (atOnce) => {
      const service = new Service(1, "how many");
      const list = new SharedList(service);
      await inFlight(
        atOnce,
        service.objects.map((key) => () => service.read(list, key)),
      );
      expect(service.requests).toBe(2);
    },
  );

  test("reads a single object without the list", async () => {
    const service = new Service(3, "how many");
    expect(await service.read(new SharedList(service), "4")).toBe("itself: 4");
    expect(service.requests).toBe(1);
  });

  test("is requested once if it cannot be read, and every object is then read by itself", async () => {
    const service = new Service(3, "how many");
    let refusals = 0;
    const refused = async () => {
      refusals += 1;
      throw new Error("403");
    };
    const list = new SharedList({ page: refused, rest: refused });
    const answers = await Promise.all(service.objects.map((key) => service.read(list, key)));
    expect(answers).toEqual(service.objects.map((key) => `itself: ${key}`));
    expect(refusals).toBe(1);
  });

  test("does not find an object that is not in the list", async () => {
    const service = new Service(1, "how many");
    const list = new SharedList(service);
    const answers = await Promise.all(["0", "1", "another"].map((key) => service.read(list, key)));
    expect(answers).toEqual(["itself: 0", "page: 1", "itself: another"]);
  });

  test("stops waiting for a canceled caller, and aborts its request when no caller is left", async () => {
    const ending = new AbortController();
    let isEnded = false;
    const never = (signal: AbortSignal) =>
      new Promise<RequestedPages>((_, reject) => {
        signal.addEventListener("abort", () => {
          isEnded = true;
          reject(new Error("ended"));
        });
      });
    const list = new SharedList({ page: never, rest: never });
    expect(await list.find("0", forever())).toBeUndefined();
    const last = new AbortController();
    const [hurried, patient] = [list.find("1", ending.signal), list.find("2", last.signal)];
    ending.abort();
    expect(await hurried).toBeUndefined();
    expect(isEnded).toBe(false);
    last.abort();
    expect(await patient).toBeUndefined();
    expect(isEnded).toBe(true);
  });
});
