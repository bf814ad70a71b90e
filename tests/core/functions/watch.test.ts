import fc from "fast-check";
import { serviceError } from "../../../provider/core/http/errors";
import type { RequestContext } from "../../../provider/core/language/stepInput";
import { type Watched, watchValue } from "../../../provider/core/requests/watch";

/** A caller whose sleeps return at once, and which can abort. */
function caller(): { context: RequestContext; slept: number[]; stop(): void } {
  const slept: number[] = [];
  const giving = new AbortController();
  const runtime = {
    now: () => 0,
    random: () => 0.5,
    sleep: async (ms: number) => {
      slept.push(ms);
    },
  };
  // A watch uses only the runtime of its connection.
  const context = { connection: { runtime }, signal: giving.signal } as unknown as RequestContext;
  return { context, slept, stop: () => giving.abort() };
}

function failure(kind: "connectionLost" | "serviceFailed" | "forbidden"): Error {
  return serviceError(kind, {
    service: "stub",
    method: "GET",
    path: "/",
    event: "failed",
    advice: "",
    attempts: 1,
  });
}

/** Watches the values of a script, read by read, until its end. */
async function follow(script: readonly (Watched<string> | Error)[]) {
  const { context, slept, stop } = caller();
  const asked: (string | undefined)[] = [];
  const seen: string[] = [];
  const left = [...script];
  const look = async (index: string | undefined) => {
    asked.push(index);
    const next = left.shift();
    if (left.length === 0) stop();
    if (next instanceof Error) throw next;
    if (next === undefined) throw failure("connectionLost");
    return next;
  };
  for await (const value of watchValue(context, look)) seen.push(value);
  return { asked, seen, slept };
}

const look = (value: string, index?: string): Watched<string> => ({ value, shows: value, index });

describe("a watch", () => {
  test("yields the first value and then only changed values", async () => {
    const { seen } = await follow([
      look("a", "5"),
      look("a", "6"),
      look("b", "7"),
      look("b", "8"),
      look("a", "9"),
    ]);
    expect(seen).toEqual(["a", "b", "a"]);
  });

  test("waits for changes after the last index, and sends no index after 0", async () => {
    const { asked } = await follow([
      look("a", "5"),
      look("b", "6"),
      look("b", "0"),
      look("b", "7"),
      look("c"),
    ]);
    expect(asked).toEqual([undefined, "5", "6", undefined, "7"]);
  });

  test("starts again without an index if the index goes backward", async () => {
    const { asked, seen } = await follow([look("a", "900"), look("b", "3"), look("c", "3"), look("c", "4")]);
    expect(asked).toEqual([undefined, "900", undefined, "3"]);
    expect(seen).toEqual(["a", "b", "c"]);
  });

  test("retries after lost connections and server errors with increasing delays", async () => {
    const { asked, seen, slept } = await follow([
      look("a", "5"),
      failure("connectionLost"),
      failure("serviceFailed"),
      look("a", "5"),
      look("b", "6"),
    ]);
    expect(asked).toEqual([undefined, "5", undefined, undefined, "5"]);
    expect(seen).toEqual(["a", "b"]);
    expect(slept).toHaveLength(2);
    expect(slept[1]).toBeGreaterThan(slept[0] ?? 0);
  });

  test("sleeps between reads if the server returns no index", async () => {
    const { slept } = await follow([look("a"), look("a"), look("a")]);
    expect(slept).toHaveLength(3);
  });

  test("fails on an error that cannot be retried", async () => {
    await expect(follow([look("a", "5"), failure("forbidden"), look("b", "6")])).rejects.toThrow("failed");
  });

  test("yields the last value and never the same value twice in a row, after any errors", async () => {
    const steps = fc.oneof(
      fc.record({
        value: fc.constantFrom("a", "b", "c"),
        index: fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined }),
      }),
      fc.constant("lost" as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(steps), fc.constantFrom("a", "b", "z"), async (script, last) => {
        const looks = script.map((step) =>
          step === "lost" ? failure("connectionLost") : look(step.value, step.index?.toString()),
        );
        const { seen } = await follow([...looks, look(last, "99")]);
        expect(seen.at(-1)).toBe(last);
        for (const [index, value] of seen.entries()) expect(value).not.toBe(seen[index + 1]);
      }),
    );
  });
});
