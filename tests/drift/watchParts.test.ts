import { readFileSync } from "node:fs";
import { join } from "node:path";
import Ajv from "ajv/dist/2020";
import fc from "fast-check";
import type { WatchEvent } from "../../cli/drift";
import { Blindness, News } from "../../cli/drift/watch/events";
import { Lanes } from "../../cli/drift/watch/lanes";
import { Mailbox } from "../../cli/drift/watch/mailbox";
import { FollowedList } from "../../cli/drift/watch/source";
import type { ListSnapshot } from "../../cli/drift/watch/waitingList";
import { eventText } from "../../cli/drift/watchText";
import { everything, verdictOf } from "./reports";

describe("News", () => {
  const states = [
    verdictOf(1),
    verdictOf(1, { verdict: "missing" }),
    verdictOf(1, { verdict: "drifted", fields: [{ field: "a", was: "1", is: "2" }] }),
    verdictOf(1, { verdict: "drifted", fields: [{ field: "a", was: "1", is: "3" }] }),
    verdictOf(1, {
      verdict: "drifted",
      fields: [{ field: "a", was: "1", is: "3" }],
      when: "2030-01-01T00:00:00Z",
    }),
    verdictOf(1, { verdict: "unreadable", why: "403" }),
  ];
  test("reports each change of the state once", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...states), { maxLength: 20 }), (found) => {
        const news = new News();
        const reported = found.filter((report) => news.isNew(report));
        const expected = found.filter((report, at) => report !== (found[at - 1] ?? states[0]));
        expect(reported).toEqual(expected);
      }),
    );
  });
});

test("a different request ID in the same state is not news", () => {
  const news = new News();
  const reported = ["1b9d6bcd", "77aa01ff", "77aa01ff, server's ID r-9"].map((ids) =>
    news.isNew(verdictOf(1, { verdict: "unreadable", why: `returned 403. (request ${ids})` })),
  );
  expect(reported).toEqual([true, false, false]);
});

describe("Blindness", () => {
  const step = fc.record({
    connection: fc.constantFrom("a", "b"),
    source: fc.constantFrom("x", "y", "z"),
    isSeen: fc.boolean(),
  });
  test("begins with the first source that fails, ends when the last recovers, and counts from the last success", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const blindness = new Blindness();
        const failing = { a: new Set<string>(), b: new Set<string>() };
        const began: Record<string, number | undefined> = {};
        const seen = new Map<string, number>();
        for (const [now, { connection, source, isSeen }] of steps.entries()) {
          const own = failing[connection as "a" | "b"];
          const wasBlind = own.size > 0;
          const wasFailing = own.has(source);
          if (isSeen) {
            own.delete(source);
            const reported = blindness.sees(connection, source, now);
            expect(reported).toEqual(wasFailing && own.size === 0 ? { since: began[connection] } : undefined);
            seen.set(connection + source, now);
          } else {
            own.add(source);
            if (!wasBlind) began[connection] = seen.get(connection + source) ?? now;
            expect(blindness.recordFailure(connection, source, now)).toEqual(
              wasBlind ? undefined : { since: began[connection] },
            );
          }
        }
      }),
    );
  });
});

describe("Lanes", () => {
  test("run no key twice at once, at most two keys concurrently, and each key again after its last mark", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 20 }),
        async (scheduler, marks) => {
          const versions = new Map<number, number>();
          const last = new Map<number, number>();
          const underWay = new Set<number>();
          const lanes = new Lanes<number, string>(
            2,
            async (each, how) => {
              expect([how, underWay.has(each)]).toEqual(["how", false]);
              underWay.add(each);
              expect(underWay.size).toBeLessThanOrEqual(2);
              last.set(each, versions.get(each) ?? -1);
              await scheduler.schedule(Promise.resolve());
              underWay.delete(each);
            },
            () => undefined,
          );
          for (const [at, mark] of marks.entries()) {
            versions.set(mark, at);
            lanes.mark(mark, "how");
            if (at === 2) expect(last.size).toBe(0);
            if (at === 2) lanes.open();
            if (at % 3 === 0) await Promise.resolve();
            if (at % 4 === 0 && scheduler.count() > 0) await scheduler.waitOne();
          }
          lanes.open();
          await scheduler.waitIdle();
          expect(last).toEqual(versions);
        },
      ),
    );
  });

  test("report a failure, and run the other keys", async () => {
    const failures: unknown[] = [];
    const done: number[] = [];
    const lanes = new Lanes<number, undefined>(
      1,
      async (each) => {
        if (each === 1) throw new Error("one");
        done.push(each);
      },
      (error) => failures.push(error),
    );
    lanes.open();
    for (const each of [0, 1, 2]) lanes.mark(each, undefined);
    await new Promise(setImmediate);
    expect([done, failures]).toEqual([[0, 2], [new Error("one")]]);
  });
});

test("a mailbox returns all letters in order until it is closed, and rejects after a failure", async () => {
  const mailbox = new Mailbox<number>();
  const got: number[] = [];
  const taking = (async () => {
    for await (const letter of mailbox.letters()) got.push(letter);
  })();
  for (let letter = 0; letter < 10; letter++) {
    mailbox.put(letter);
    if (letter % 3 === 0) await new Promise(setImmediate);
  }
  mailbox.close();
  mailbox.put(99);
  await taking;
  expect(got).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const failing = new Mailbox<number>();
  failing.fail(new Error("lost"));
  await expect(failing.letters().next()).rejects.toThrow("lost");
});

describe("a list that is watched", () => {
  /** Runs a source on consecutive results: the content of the list, or the reason for a failure. */
  async function followed(script: readonly (ListSnapshot | "lost" | "refused")[]) {
    const reported: string[] = [];
    const ending = new AbortController();
    const left = [...script];
    async function* changes(_: AbortSignal, heard: (failure: unknown, shown?: ListSnapshot) => void) {
      for (;;) {
        const next = left.shift();
        if (next === undefined) return ending.abort();
        if (typeof next !== "string") {
          heard(undefined, next);
          yield next;
          continue;
        }
        heard(new Error(next));
        if (next === "refused") throw new Error(next);
      }
    }
    const source = new FollowedList<string>({ changes }, ending.signal, 1, {
      moved: (before, now) => reported.push(`${before ? [...before.values()] : "?"}>${[...now.values()]}`),
      heard: () => reported.push("heard"),
      failed: (error) => reported.push(String((error as Error).message)),
    });
    await source.begin();
    reported.push("ready");
    await new Promise<void>((resolve) => ending.signal.addEventListener("abort", () => resolve()));
    return { reported, shows: source.shows("one") };
  }
  const showing = (value: number): ListSnapshot => new Map([["one", value]]);

  test("is ready after its first response, and reports each later change", async () => {
    const { reported, shows } = await followed([showing(1), showing(2)]);
    expect(reported).toEqual(["heard", "ready", "1>2", "heard"]);
    expect(shows).toBe(true);
  });

  test("reports the reason for a failure once, and then the changes since the last response", async () => {
    expect((await followed([showing(1), "lost", "lost", showing(2)])).reported).toEqual([
      "heard",
      "ready",
      "lost",
      "1>2",
      "heard",
    ]);
    expect((await followed(["refused", "refused", showing(1)])).reported).toEqual([
      "refused",
      "ready",
      "?>1",
      "heard",
    ]);
  });

  test("does not show a resource while it fails or if it is empty", async () => {
    expect((await followed([showing(1), "lost"])).shows).toBe(false);
    expect((await followed([new Map()])).shows).toBe(false);
  });
});

describe("watch events", () => {
  const at = "2030-01-01T12:00:00.000Z";
  const of = { service: "mesh", settings: "the environment" };
  const events: readonly WatchEvent[] = [
    { event: "began", at, stack: "dev", counts: everything.counts, waiting: 3, polled: 2, interval: 30 },
    ...everything.resources.map((report) => ({ event: "resource", at, ...report }) as const),
    { event: "blind", at, ...of, since: at, why: "connection lost\nagain" },
    { event: "sees", at, ...of, since: at, seconds: 1.5 },
    { event: "polling", at, ...of, why: "returned 403" },
    { event: "ended", at, counts: everything.counts },
  ];
  const schema = JSON.parse(readFileSync(join(__dirname, "../../docs/schemas/drift.json"), "utf8"));
  const ajv = new Ajv({ formats: { "date-time": true }, strictRequired: false });
  ajv.addSchema(schema, "drift");
  const isValid = ajv.compile({ $ref: "drift#/$defs/event" });

  test.each(events)("$event matches the published schema, and its required properties", (event) => {
    expect([isValid(event), isValid.errors]).toEqual([true, null]);
    for (const name of Object.keys(event)) {
      const { [name as keyof WatchEvent]: _, ...rest } = event;
      const isOptional =
        ["stack", "fields", "when", "why", "ignored"].includes(name) &&
        !(name === "why" && event.event !== "resource");
      expect([name, isValid(rest)]).toEqual([name, isOptional]);
    }
  });

  test("are printed as text", () => {
    const text = events.flatMap((event) => eventText(event, false)).join("\n");
    for (const said of [
      "  3 watched live, 2 polled every 30 s",
      "  last read: 2030-01-01 12:00:00 UTC",
      "  connection lost\n  again",
      "  after 1.5 s",
      "  The server refuses the list",
      "last written 2030-01-01 09:15:00 UTC",
    ])
      expect(text).toContain(said);
  });
});
