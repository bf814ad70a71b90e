import { ServiceError } from "../../../provider/core/http/errors";
import type { HttpAnswer } from "../../../provider/core/http/request";
import type { CallContext } from "../../../provider/core/language/call";
import type { Route } from "../../../provider/core/language/route";
import { doubtOf, failureOf } from "../../../provider/core/requests/doubt";
import { once, type Sight, sendOnce } from "../../../provider/core/requests/once";
import { send } from "../../../provider/core/requests/send";
import { rejection } from "../http/clients";
import { type Asking, answered, asking, OPERATION_MS, unanswered } from "./asking";

const POST: Route = { method: "POST", path: "/quays" };
const HTML = "<!doctype html><html><body>Sign in</body></html>";
const OWN_NO = answered(500, { error: "no berth is free" });

const lostConnection = () => unanswered("unclearAnswer", "lost its connection");
const timedOut = () => unanswered("unclearAnswer", "was not answered within 1 s", { mayFollow: true });
const cancelled = () => unanswered("cancelled", "was cancelled", { mayFollow: true });

/** A look that shows something else each time; the last one again and again. Errors are thrown. */
function looking(asked: Asking, ...sights: readonly (Sight<string> | Error)[]) {
  const at: number[] = [];
  const contexts: CallContext[] = [];
  const start = asked.runtime.now();
  const look = async (context: CallContext): Promise<Sight<string>> => {
    at.push((asked.runtime.now() - start) / 1000);
    contexts.push(context);
    const sight = sights[Math.min(at.length, sights.length) - 1];
    if (sight === undefined || sight instanceof Error)
      throw sight ?? new Error("it was not expected to look");
    return sight;
  };
  return { at, contexts, look };
}

const THERE: Sight<string> = { happened: true, found: "our quay" };
const ABSENT: Sight<string> = { happened: false };

/** Sends a write whose look, if any, is given. */
function write(
  { context }: Asking,
  look?: (context: CallContext) => Promise<Sight<string>>,
  route: Route = POST,
) {
  return once<CallContext, string>(context, {
    route,
    address: {},
    send: (own) => send(own, route, {}, { nature: "write" }),
    ...(look && { look }),
  });
}

/** What is not done: its outcome, which a test expects to be neither done nor seen. */
async function doubtful(outcome: ReturnType<typeof write>) {
  const found = await outcome;
  if (found.kind === "done" || found.kind === "means" || found.kind === "seen")
    throw new Error(`it was told as ${found.kind}`);
  return found;
}

describe("a write is done by its page's answer alone", () => {
  const routes: Readonly<Record<string, Route>> = {
    members: POST,
    true: { method: "PUT", path: "/quays" },
    nothing: { method: "DELETE", path: "/quays" },
    "its own word": { method: "POST", path: "/quays", answers: "nothing" },
  };

  test.each<[string, HttpAnswer]>([
    ["members", answered(200, { berth: 7 })],
    ["members", answered(201, { data: { berth: "7" } })],
    ["true", answered(200, true)],
    ["nothing", answered(204)],
    ["nothing", answered(200)],
    ["its own word", answered(204)],
  ])("%s, as in %j, and nothing is looked at", async (said, answer) => {
    const asked = asking(answer);
    const { look, at } = looking(asked);
    expect(await write(asked, look, routes[said])).toEqual({ kind: "done", answer });
    expect(at).toEqual([]);
    expect(asked.sent).toHaveLength(1);
  });

  test.each<[string, HttpAnswer]>([
    ["members", answered(200)],
    ["members", answered(204)],
    ["members", answered(200, null)],
    ["members", answered(200, {})],
    ["members", answered(200, true)],
    ["members", answered(200, { berth: null })],
    ["members", answered(200, { another: "object" })],
    ["members", answered(200, [{ berth: 7 }])],
    ["members", answered(202, undefined, HTML)],
    ["true", answered(200, "true")],
    ["true", answered(200, { berth: 7 })],
    ["true", answered(204)],
    ["nothing", answered(200, {})],
    ["nothing", answered(200, null)],
    ["nothing", answered(202, { berth: 7 })],
    ["its own word", answered(200, { berth: 7 })],
  ])("%s: any other success is looked at once, as %j", async (said, answer) => {
    for (const sight of [THERE, ABSENT]) {
      const asked = asking(answer);
      const { look, at } = looking(asked, sight);
      const outcome = await write(asked, look, routes[said]);
      expect(outcome.kind).toBe(sight.happened ? "seen" : "not seen");
      expect(at).toEqual([0]);
    }
  });

  test("and what was found in its place is handed on", async () => {
    const asked = asking(answered(200, {}));
    const { look } = looking(asked, { happened: false, found: "another's quay" });
    expect(await write(asked, look)).toMatchObject({ kind: "not seen", found: "another's quay" });
  });

  test("without a look any other success is open, with what was answered", async () => {
    const answer = answered(200, {});
    const outcome = await doubtful(write(asking(answer)));
    expect(outcome).toMatchObject({ kind: "open", answer });
    expect(doubtOf(outcome)).toContain("answered 200 with what this endpoint does not answer.");
    expect(doubtOf(outcome)).toMatch(
      /Whether it was carried out is not known: the service does not show it\.$/,
    );
  });
});

describe("a refusal", () => {
  test.each([400, 401, 403, 404, 405, 409, 412, 422, 429, 302])(
    "of status %d proves that nothing happened, and is thrown unlooked",
    async (status) => {
      const asked = asking(answered(status, { error: "no" }));
      const { look, at } = looking(asked, THERE);
      const error = await rejection(write(asked, look));
      expect(error).toMatchObject({ status, unclear: false });
      expect(at).toEqual([]);
    },
  );

  test("to connect proves that nothing happened", async () => {
    const asked = asking(unanswered("unreachable", "found nobody", { unclear: false }));
    const { look, at } = looking(asked, THERE);
    expect(await rejection(write(asked, look))).toMatchObject({ unclear: false });
    expect(at).toEqual([]);
  });

  test("with a meaning of its own is handed to who knows it", async () => {
    const { context } = asking(OWN_NO);
    const outcome = await once<CallContext, string, "lost">(context, {
      route: POST,
      address: {},
      send: (own) => send(own, POST, {}, { nature: "write" }),
      means: ({ status }) => (status === 500 ? "lost" : undefined),
      look: () => Promise.reject(new Error("it was not expected to look")),
    });
    expect(outcome).toMatchObject({ kind: "means", meaning: "lost" });
  });
});

describe("a failure of the service", () => {
  test("in its own shape is looked at once, and then its words stand alone", async () => {
    const asked = asking(OWN_NO);
    const { look, at } = looking(asked, ABSENT);
    const outcome = await doubtful(write(asked, look));
    expect(at).toEqual([0]);
    expect(outcome).toMatchObject({ kind: "not seen", why: { isOwnNo: true } });
    expect(doubtOf(outcome)).toBe(outcome.why.message);
    expect(failureOf(outcome)).toBe(outcome.why);
    expect(outcome.why.message).toContain("no berth is free");
    expect(outcome.why.message).not.toMatch(/carried out|not known|Next:/);
  });

  test("in its own shape is no no where the object is there", async () => {
    const asked = asking(OWN_NO);
    expect(await write(asked, looking(asked, THERE).look)).toMatchObject({ kind: "seen", found: "our quay" });
  });

  test("in its own shape is a no where nobody can look", async () => {
    const error = await rejection(write(asking(OWN_NO)));
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ status: 500, isOwnNo: true });
  });

  const others: readonly (readonly [string, HttpAnswer])[] = [
    ["500 in no shape of its own", answered(500, undefined, HTML)],
    ["501", answered(501, { error: "later" })],
    ["502", answered(502, undefined, HTML)],
    ["503", answered(503, { error: "sealed" })],
    ["504", answered(504, undefined, "")],
  ];

  test.each(others)("%s is open where nobody can look", async (_, answer) => {
    const outcome = await doubtful(write(asking(answer)));
    expect(outcome).toMatchObject({ kind: "open", answer });
    expect(doubtOf(outcome)).toContain("Whether it was carried out is not known");
  });

  test.each(others)(
    "%s is looked at again and again, since the request may still be at work",
    async (_, answer) => {
      const asked = asking(answer);
      const { look, at } = looking(asked, ABSENT);
      const outcome = await doubtful(write(asked, look));
      expect(at).toEqual([0, 1, 3, 7, 15]);
      expect(outcome.kind).toBe("not seen");
      expect(doubtOf(outcome)).toContain(
        "The service showed nothing of it within 20 s; it may still be carried out.",
      );
    },
  );
});

describe("a write that was not answered", () => {
  test("because its connection broke is looked at once", async () => {
    const asked = asking(lostConnection());
    const { look, at } = looking(asked, ABSENT);
    const outcome = await doubtful(write(asked, look));
    expect(at).toEqual([0]);
    expect(outcome.kind).toBe("not seen");
    expect(doubtOf(outcome)).toContain("It was looked at, and was not carried out.");
    expect(failureOf(outcome, "pulumi up again").message).toMatch(/Next: pulumi up again\.$/);
  });

  const hanging = [
    ["in time", timedOut],
    ["before a cancel", cancelled],
  ] as const;

  test.each(hanging)("%s is looked at at 0, 1, 3, 7 and 15 s, until the grace ends", async (_, failure) => {
    const asked = asking(failure());
    const { look, at } = looking(asked, ABSENT);
    expect((await write(asked, look)).kind).toBe("not seen");
    expect(at).toEqual([0, 1, 3, 7, 15]);
  });

  test.each([1, 2, 3, 4, 5])("is seen as soon as it shows, at look %d", async (number) => {
    const asked = asking(timedOut());
    const sights = Array.from({ length: number }, (_, index) => (index === number - 1 ? THERE : ABSENT));
    const { look, at } = looking(asked, ...sights);
    expect(await write(asked, look)).toMatchObject({ kind: "seen", found: "our quay" });
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
    expect((await write(asked, look)).kind).toBe("seen");
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
      expect(outcome).toMatchObject({ kind: "open", unseen: { message: "the token may not read" } });
      expect(doubtOf(outcome)).toBe(
        `${failure.message} Whether it was carried out is not known: it could not be looked at: the token may not read`,
      );
      expect(failureOf(outcome).message).toContain("Next: the same command again.");
    }
  });

  test("and is the service's own no that cannot be looked at is told with both reasons, too", async () => {
    const asked = asking(OWN_NO);
    const outcome = await doubtful(write(asked, looking(asked, new Error("the token may not read")).look));
    expect(failureOf(outcome).message).toContain("no berth is free");
    expect(failureOf(outcome).message).toContain("it could not be looked at: the token may not read");
  });
});

describe("a look has a context of its own", () => {
  test("without the step's signal and with its own time, whatever ended the write", async () => {
    const asked = asking(cancelled(), answered(200, {}));
    const { signal, ...own } = { ...asked.context, signal: AbortSignal.abort() };
    const contexts: CallContext[] = [];
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
    expect((await write(asked, look)).kind).toBe("seen");
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
    expect(outcome.kind).toBe("seen");
    expect(at).toEqual([0, 1, 3]);
  });
});

describe("a request that is never sent twice", () => {
  test("answers a no as an answer, and a yes as its page says", async () => {
    for (const answer of [answered(400, { error: "no" }), answered(404), OWN_NO, answered(200, { berth: 7 })])
      expect(await sendOnce(asking(answer).context, POST, {})).toEqual({ answer });
  });

  test("is lost where its answer does not tell, and the answer is kept", async () => {
    for (const answer of [answered(200, {}), answered(502), answered(500, undefined, HTML)])
      expect(await sendOnce(asking(answer).context, POST, {})).toMatchObject({
        lost: { unclear: true },
        answer,
      });
    const lost = await sendOnce(asking(timedOut()).context, POST, {});
    expect(lost).toMatchObject({ lost: { mayFollow: true } });
    expect(lost).not.toHaveProperty("answer");
  });

  test("is thrown where nothing happened", async () => {
    const failure = unanswered("unreachable", "found nobody", { unclear: false });
    expect(await rejection(sendOnce(asking(failure).context, POST, {}))).toBe(failure);
  });
});
