import { rerunUp } from "../../../provider/core/http/remedies";
import type { RequestContext } from "../../../provider/core/language/stepInput";
import { describeUnknown, unknownError } from "../../../provider/core/requests/probe";
import { send } from "../../../provider/core/requests/send";
import { answered, createCaller, OPERATION_MS } from "./caller";
import {
  ABSENT,
  canceled,
  lostConnection,
  NOT_APPLIED,
  OWN_ERROR,
  POST,
  probing,
  THERE,
  timedOut,
  unknownOutcome,
  write,
} from "./writing";

describe("write with an unknown outcome", () => {
  test("is probed once if its connection broke", async () => {
    const asked = createCaller(lostConnection());
    const { probe, at } = probing(asked, ABSENT);
    const outcome = await unknownOutcome(write(asked, probe));
    expect(at).toEqual([0]);
    expect(outcome).toMatchObject(NOT_APPLIED);
    expect(describeUnknown(outcome)).toContain("A read after the request does not show the result.");
    expect(unknownError(outcome, rerunUp()).message).toMatch(/Next: pulumi up again\.$/);
  });

  test("is probed until the grace period ends if its connection broke and a late write is unsafe", async () => {
    const asked = createCaller(lostConnection());
    const { probe, at } = probing(asked, ABSENT);
    const outcome = await unknownOutcome(write(asked, probe, POST, { isUnsafeIfLate: true }));
    expect(at).toEqual([0, 1, 3, 7, 15]);
    expect(describeUnknown(outcome)).toContain("A read after the request does not show the result.");
  });

  test("is probed once after the service's own error, even if a late write is unsafe", async () => {
    const asked = createCaller(OWN_ERROR);
    const { probe, at } = probing(asked, ABSENT);
    await write(asked, probe, POST, { isUnsafeIfLate: true });
    expect(at).toEqual([0]);
  });

  const hanging = [
    ["after a timeout", timedOut],
    ["after a cancel", canceled],
  ] as const;

  test.each(hanging)("is probed at 0, 1, 3, 7 and 15 s %s", async (_, failure) => {
    const asked = createCaller(failure());
    const { probe, at } = probing(asked, ABSENT);
    expect(await write(asked, probe)).toMatchObject({ kind: "unknown", verdict: "undecided" });
    expect(at).toEqual([0, 1, 3, 7, 15]);
  });

  test.each([1, 2, 3, 4, 5])("is not probed again after probe %d has found the object", async (number) => {
    const asked = createCaller(timedOut());
    const reads = Array.from({ length: number }, (_, index) => (index === number - 1 ? THERE : ABSENT));
    const { probe, at } = probing(asked, ...reads);
    expect(await write(asked, probe)).toMatchObject({ kind: "shown", found: "our quay" });
    expect(at).toEqual([0, 1, 3, 7, 15].slice(0, number));
  });

  test("is probed only within the grace period if each probe takes 4 s", async () => {
    const asked = createCaller(timedOut());
    const { at, probe } = probing(asked, ABSENT);
    await write(asked, async (context) => {
      const read = await probe(context);
      await asked.runtime.sleep(4000);
      return read;
    });
    expect(at).toEqual([0, 5, 11, 19]);
  });

  test("is probed only within the grace period even if the clock does not advance", async () => {
    const asked = createCaller(timedOut());
    const { runtime } = asked;
    const connection = { ...asked.context.connection, runtime: { ...runtime, now: () => 0 } };
    const { probe, at } = probing(asked, ABSENT);
    await write({ ...asked, context: { ...asked.context, connection } }, probe);
    expect(at).toEqual([0, 1, 3, 7, 15]);
  });

  test("is probed again if a probe fails", async () => {
    const asked = createCaller(timedOut());
    const { probe, at } = probing(asked, new Error("the probe was rejected"), THERE);
    expect((await write(asked, probe)).kind).toBe("shown");
    expect(at).toEqual([0, 1]);
  });

  test("is reported with the failures of the write and of the probe", async () => {
    for (const [failure, probes] of [
      [timedOut(), 5],
      [lostConnection(), 1],
    ] as const) {
      const asked = createCaller(failure);
      const { probe, at } = probing(asked, new Error("the token may not read"));
      const outcome = await unknownOutcome(write(asked, probe));
      expect(at).toHaveLength(probes);
      expect(outcome).toMatchObject({
        kind: "unknown",
        verdict: "undecided",
        probeError: { message: "the token may not read" },
      });
      expect(describeUnknown(outcome)).toBe(
        `${failure.message} It is unknown whether the request was applied: the object could not be read: the token may not read`,
      );
      expect(unknownError(outcome).message).toContain("Next: the same command again.");
    }
  });

  test("is reported with the service's own error and the failure of the probe", async () => {
    const asked = createCaller(OWN_ERROR);
    const outcome = await unknownOutcome(
      write(asked, probing(asked, new Error("the token may not read")).probe),
    );
    expect(unknownError(outcome).message).toContain("no berth is free");
    expect(unknownError(outcome).message).toContain("the object could not be read: the token may not read");
  });
});

describe("context of a probe", () => {
  test("has its own time limit, and neither the signal nor the deadline of the step", async () => {
    const asked = createCaller(canceled(), answered(200, {}));
    const { signal, ...own } = { ...asked.context, signal: AbortSignal.abort() };
    const contexts: RequestContext[] = [];
    await write({ ...asked, context: { ...own, signal } }, async (context) => {
      contexts.push(context);
      await send(context, { method: "GET", path: "/quays" }, {}, { nature: "read" });
      return THERE;
    });
    expect(contexts).toHaveLength(1);
    expect(contexts[0]).not.toHaveProperty("signal");
    const [first, second] = asked.sent;
    expect(first).toMatchObject({ signal, deadline: own.deadline });
    expect(first).not.toHaveProperty("grace");
    expect(second).toMatchObject({ grace: 20_000, nature: "read" });
    expect(second).not.toHaveProperty("signal");
    expect(second).not.toHaveProperty("deadline");
  });

  test("allows probes after the deadline of the operation", async () => {
    const asked = createCaller(timedOut());
    await asked.runtime.sleep(OPERATION_MS + 1);
    const { probe, at } = probing(asked, ABSENT, ABSENT, THERE);
    expect((await write(asked, probe)).kind).toBe("shown");
    expect(at).toEqual([0, 1, 3]);
    expect(asked.sent).toHaveLength(1);
  });

  test("allows probes after a cancel", async () => {
    const asked = createCaller(timedOut());
    const controller = new AbortController();
    const context = { ...asked.context, signal: controller.signal };
    const { probe, at } = probing(asked, ABSENT, ABSENT, THERE);
    const outcome = await write({ ...asked, context }, (own) => {
      controller.abort();
      return probe(own);
    });
    expect(outcome.kind).toBe("shown");
    expect(at).toEqual([0, 1, 3]);
  });
});
