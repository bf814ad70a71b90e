import { rerunUp } from "../../../provider/core/http/remedies";
import type { RequestContext } from "../../../provider/core/language/stepInput";
import { describeUnknown, unknownError } from "../../../provider/core/requests/probe";
import { send } from "../../../provider/core/requests/send";
import { answered, asking, OPERATION_MS } from "./asking";
import {
  ABSENT,
  cancelled,
  doubtful,
  looking,
  lostConnection,
  NOT_APPLIED,
  OWN_NO,
  POST,
  THERE,
  timedOut,
  write,
} from "./writing";

describe("a write that was not answered", () => {
  test("because its connection broke is looked at once", async () => {
    const asked = asking(lostConnection());
    const { look, at } = looking(asked, ABSENT);
    const outcome = await doubtful(write(asked, look));
    expect(at).toEqual([0]);
    expect(outcome).toMatchObject(NOT_APPLIED);
    expect(describeUnknown(outcome)).toContain("It was looked at, and the service shows nothing of it.");
    expect(unknownError(outcome, rerunUp()).message).toMatch(/Next: pulumi up again\.$/);
  });

  test("because its connection broke is looked at until the grace ends, where it would do harm late", async () => {
    const asked = asking(lostConnection());
    const { look, at } = looking(asked, ABSENT);
    const outcome = await doubtful(write(asked, look, POST, { isUnsafeIfLate: true }));
    expect(at).toEqual([0, 1, 3, 7, 15]);
    expect(describeUnknown(outcome)).toContain("It was looked at, and the service shows nothing of it.");
  });

  test("but was refused by the service itself is looked at once, whatever harm it would do", async () => {
    const asked = asking(OWN_NO);
    const { look, at } = looking(asked, ABSENT);
    await write(asked, look, POST, { isUnsafeIfLate: true });
    expect(at).toEqual([0]);
  });

  const hanging = [
    ["in time", timedOut],
    ["before a cancel", cancelled],
  ] as const;

  test.each(hanging)("%s is looked at at 0, 1, 3, 7 and 15 s, until the grace ends", async (_, failure) => {
    const asked = asking(failure());
    const { look, at } = looking(asked, ABSENT);
    expect(await write(asked, look)).toMatchObject(NOT_APPLIED);
    expect(at).toEqual([0, 1, 3, 7, 15]);
  });

  test.each([1, 2, 3, 4, 5])("is seen as soon as it shows, at look %d", async (number) => {
    const asked = asking(timedOut());
    const sights = Array.from({ length: number }, (_, index) => (index === number - 1 ? THERE : ABSENT));
    const { look, at } = looking(asked, ...sights);
    expect(await write(asked, look)).toMatchObject({ kind: "shown", found: "our quay" });
    expect(at).toEqual([0, 1, 3, 7, 15].slice(0, number));
  });

  test("is looked at for no longer than the grace where each look takes its time", async () => {
    const asked = asking(timedOut());
    const { at, look } = looking(asked, ABSENT);
    await write(asked, async (context) => {
      const sight = await look(context);
      await asked.runtime.sleep(4000);
      return sight;
    });
    expect(at).toEqual([0, 5, 11, 19]);
  });

  test("is looked at for no longer than the grace by a clock that stands still", async () => {
    const asked = asking(timedOut());
    const { runtime } = asked;
    const connection = { ...asked.context.connection, runtime: { ...runtime, now: () => 0 } };
    const { look, at } = looking(asked, ABSENT);
    await write({ ...asked, context: { ...asked.context, connection } }, look);
    expect(at).toEqual([0, 1, 3, 7, 15]);
  });

  test("is looked at again where one look fails, and its success counts", async () => {
    const asked = asking(timedOut());
    const { look, at } = looking(asked, new Error("the look was refused"), THERE);
    expect((await write(asked, look)).kind).toBe("shown");
    expect(at).toEqual([0, 1]);
  });

  test("and cannot be looked at is told with both reasons", async () => {
    for (const [failure, looks] of [
      [timedOut(), 5],
      [lostConnection(), 1],
    ] as const) {
      const asked = asking(failure);
      const { look, at } = looking(asked, new Error("the token may not read"));
      const outcome = await doubtful(write(asked, look));
      expect(at).toHaveLength(looks);
      expect(outcome).toMatchObject({ kind: "unknown", probed: { message: "the token may not read" } });
      expect(describeUnknown(outcome)).toBe(
        `${failure.message} Whether it was carried out is not known: it could not be looked at: the token may not read`,
      );
      expect(unknownError(outcome).message).toContain("Next: the same command again.");
    }
  });

  test("and is the service's own no that cannot be looked at is told with both reasons, too", async () => {
    const asked = asking(OWN_NO);
    const outcome = await doubtful(write(asked, looking(asked, new Error("the token may not read")).look));
    expect(unknownError(outcome).message).toContain("no berth is free");
    expect(unknownError(outcome).message).toContain("it could not be looked at: the token may not read");
  });
});

describe("a look has a context of its own", () => {
  test("without the step's signal and with its own time, whatever ended the write", async () => {
    const asked = asking(cancelled(), answered(200, {}));
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

  test("and goes on after the operation's end", async () => {
    const asked = asking(timedOut());
    await asked.runtime.sleep(OPERATION_MS + 1);
    const { look, at } = looking(asked, ABSENT, ABSENT, THERE);
    expect((await write(asked, look)).kind).toBe("shown");
    expect(at).toEqual([0, 1, 3]);
    expect(asked.sent).toHaveLength(1);
  });

  test("and goes on after a cancel that comes between two looks", async () => {
    const asked = asking(timedOut());
    const controller = new AbortController();
    const context = { ...asked.context, signal: controller.signal };
    const { look, at } = looking(asked, ABSENT, ABSENT, THERE);
    const outcome = await write({ ...asked, context }, (own) => {
      controller.abort();
      return look(own);
    });
    expect(outcome.kind).toBe("shown");
    expect(at).toEqual([0, 1, 3]);
  });
});
