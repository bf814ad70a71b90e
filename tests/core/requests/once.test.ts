import { ServiceError } from "../../../provider/core/http/errors";
import type { HttpAnswer } from "../../../provider/core/http/request";
import type { Route } from "../../../provider/core/language/route";
import { describeUnknown, unknownError } from "../../../provider/core/requests/probe";
import { send } from "../../../provider/core/requests/send";
import { sendOnce } from "../../../provider/core/requests/single";
import { sendForResult } from "../../../provider/core/requests/writeResult";
import { rejection } from "../http/clients";
import { answered, asking, unanswered } from "./asking";
import {
  ABSENT,
  doubtful,
  HTML,
  looking,
  NOT_APPLIED,
  OWN_NO,
  POST,
  THERE,
  timedOut,
  write,
} from "./writing";

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
    ["its own word", answered(204)],
  ])("%s, as in %j, and nothing is looked at", async (said, answer) => {
    const asked = asking(answer);
    const { look, at } = looking(asked);
    expect(await write(asked, look, routes[said])).toEqual({ kind: "applied", answer });
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
    ["nothing", answered(200)],
    ["nothing", answered(200, {})],
    ["nothing", answered(200, null)],
    ["nothing", answered(202, { berth: 7 })],
    ["its own word", answered(200, { berth: 7 })],
  ])("%s: any other success is looked at once, as %j", async (said, answer) => {
    for (const sight of [THERE, ABSENT]) {
      const asked = asking(answer);
      const { look, at } = looking(asked, sight);
      const outcome = await write(asked, look, routes[said]);
      expect(outcome).toMatchObject(sight.isApplied ? { kind: "shown" } : NOT_APPLIED);
      expect(at).toEqual([0]);
    }
  });

  test("and what was found in its place is handed on", async () => {
    const asked = asking(answered(200, {}));
    const { look } = looking(asked, { isApplied: false, found: "another's quay" });
    expect(await write(asked, look)).toMatchObject({
      kind: "unknown",
      probed: { isApplied: false, found: "another's quay" },
    });
  });

  test("without a look any other success is open, with what was answered", async () => {
    const answer = answered(200, {});
    const outcome = await doubtful(write(asking(answer)));
    expect(outcome).toMatchObject({ kind: "unknown", answer });
    expect(describeUnknown(outcome)).toContain("answered 200 with what this endpoint does not answer.");
    expect(describeUnknown(outcome)).toMatch(
      /Whether it was carried out is not known: the service does not show it\.$/,
    );
  });
});

describe("a refusal", () => {
  test.each([400, 401, 403, 404, 405, 409, 412, 422, 429, 302])(
    "of status %d proves that nothing isApplied, and is thrown unlooked",
    async (status) => {
      const asked = asking(answered(status, { error: "no" }));
      const { look, at } = looking(asked, THERE);
      const error = await rejection(write(asked, look));
      expect(error).toMatchObject({ status, outcome: "notApplied" });
      expect(at).toEqual([]);
    },
  );

  test("to connect proves that nothing isApplied", async () => {
    const asked = asking(unanswered("unreachable", "found nobody", "notApplied"));
    const { look, at } = looking(asked, THERE);
    expect(await rejection(write(asked, look))).toMatchObject({ outcome: "notApplied" });
    expect(at).toEqual([]);
  });

  test("that the caller interprets is the result that it names", async () => {
    for (const kind of ["applied", "preconditionFailed"] as const) {
      const { context } = asking(OWN_NO);
      const result = await sendForResult(context, {
        route: POST,
        address: {},
        send: (own) => send(own, POST, {}, { nature: "write" }),
        interpret: ({ status }) => (status === 500 ? kind : undefined),
      });
      expect(result).toEqual({ kind, answer: OWN_NO });
    }
  });
});

describe("a failure of the service", () => {
  test("in its own shape is looked at once, and then its words stand alone", async () => {
    const asked = asking(OWN_NO);
    const { look, at } = looking(asked, ABSENT);
    const outcome = await doubtful(write(asked, look));
    expect(at).toEqual([0]);
    expect(outcome).toMatchObject({ ...NOT_APPLIED, error: { outcome: "rejected" } });
    expect(describeUnknown(outcome)).toBe(outcome.error.message);
    expect(unknownError(outcome)).toBe(outcome.error);
    expect(outcome.error.message).toContain("no berth is free");
    expect(outcome.error.message).not.toMatch(/carried out|not known|Next:/);
  });

  test("in its own shape is no no where the object is there", async () => {
    const asked = asking(OWN_NO);
    expect(await write(asked, looking(asked, THERE).look)).toMatchObject({
      kind: "shown",
      found: "our quay",
    });
  });

  test("in its own shape is a no where nobody can look", async () => {
    const error = await rejection(write(asking(OWN_NO)));
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ status: 500, outcome: "rejected" });
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
    expect(outcome).toMatchObject({ kind: "unknown", answer });
    expect(describeUnknown(outcome)).toContain("Whether it was carried out is not known");
  });

  test("503 is looked at once: nobody was there to hand the request to", async () => {
    for (const [, answer] of others.filter(([name]) => name === "503")) {
      const asked = asking(answer);
      const { look, at } = looking(asked, ABSENT);
      const outcome = await doubtful(write(asked, look));
      expect(at).toEqual([0]);
      expect(outcome).toMatchObject(NOT_APPLIED);
      expect(describeUnknown(outcome)).toContain("It was looked at, and the service shows nothing of it.");
    }
  });

  test.each(others.filter(([name]) => name !== "503"))(
    "%s is looked at again and again, since the request may still be at work",
    async (_, answer) => {
      const asked = asking(answer);
      const { look, at } = looking(asked, ABSENT);
      const outcome = await doubtful(write(asked, look));
      expect(at).toEqual([0, 1, 3, 7, 15]);
      expect(outcome).toMatchObject(NOT_APPLIED);
      expect(describeUnknown(outcome)).toContain(
        "The service showed nothing of it within 20 s; it may still be carried out.",
      );
    },
  );
});

describe("a request that is never sent twice", () => {
  test("answers a no as an answer, and a yes as its page says", async () => {
    for (const answer of [answered(400, { error: "no" }), answered(404), OWN_NO, answered(200, { berth: 7 })])
      expect(await sendOnce(asking(answer).context, POST, {})).toEqual({ answer });
  });

  test("is lost where its answer does not tell, and the answer is kept", async () => {
    const lostBy = [
      [answered(200, {}), "unknown"],
      [answered(502), "inFlight"],
      [answered(500, undefined, HTML), "inFlight"],
    ] as const;
    for (const [answer, outcome] of lostBy)
      expect(await sendOnce(asking(answer).context, POST, {})).toMatchObject({ lost: { outcome }, answer });
    const lost = await sendOnce(asking(timedOut()).context, POST, {});
    expect(lost).toMatchObject({ lost: { outcome: "inFlight" } });
    expect(lost).not.toHaveProperty("answer");
  });

  test("is thrown where nothing isApplied", async () => {
    const failure = unanswered("unreachable", "found nobody", "notApplied");
    expect(await rejection(sendOnce(asking(failure).context, POST, {}))).toBe(failure);
  });
});
