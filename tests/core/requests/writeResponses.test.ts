import { ServiceError } from "../../../provider/core/http/errors";
import type { HttpResponse } from "../../../provider/core/http/request";
import type { Route } from "../../../provider/core/language/route";
import { describeUnknown, unknownError } from "../../../provider/core/requests/probe";
import { send } from "../../../provider/core/requests/send";
import { sendOnce } from "../../../provider/core/requests/single";
import { sendForResult } from "../../../provider/core/requests/writeResult";
import { rejection } from "../http/clients";
import { answered, createCaller, unanswered } from "./caller";
import {
  ABSENT,
  HTML,
  NOT_APPLIED,
  OWN_ERROR,
  POST,
  probing,
  THERE,
  timedOut,
  unknownOutcome,
  write,
} from "./writing";

describe("response to a write", () => {
  const routes: Readonly<Record<string, Route>> = {
    members: POST,
    true: { method: "PUT", path: "/quays" },
    nothing: { method: "DELETE", path: "/quays" },
    "the route's own answers": { method: "POST", path: "/quays", expects: "nothing" },
  };

  test.each<[string, HttpResponse]>([
    ["members", answered(200, { berth: 7 })],
    ["members", answered(201, { data: { berth: "7" } })],
    ["true", answered(200, true)],
    ["nothing", answered(204)],
    ["the route's own answers", answered(204)],
  ])("documented as %s confirms the write without a probe: %j", async (documented, answer) => {
    const asked = createCaller(answer);
    const { probe, at } = probing(asked);
    expect(await write(asked, probe, routes[documented])).toEqual({ kind: "applied", answer });
    expect(at).toEqual([]);
    expect(asked.sent).toHaveLength(1);
  });

  test.each<[string, HttpResponse]>([
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
    ["the route's own answers", answered(200, { berth: 7 })],
  ])("documented as %s causes one probe if it is %j", async (documented, answer) => {
    for (const read of [THERE, ABSENT]) {
      const asked = createCaller(answer);
      const { probe, at } = probing(asked, read);
      const outcome = await write(asked, probe, routes[documented]);
      expect(outcome).toMatchObject(read.isApplied ? { kind: "shown" } : NOT_APPLIED);
      expect(at).toEqual([0]);
    }
  });

  test("that is undocumented returns the object that the probe found", async () => {
    const asked = createCaller(answered(200, {}));
    const { probe } = probing(asked, { isApplied: false, found: "another's quay" });
    expect(await write(asked, probe)).toMatchObject({
      kind: "unknown",
      found: "another's quay",
    });
  });

  test("that is undocumented leaves the outcome unknown without a probe, and is returned", async () => {
    const answer = answered(200, {});
    const outcome = await unknownOutcome(write(createCaller(answer)));
    expect(outcome).toMatchObject({ kind: "unknown", answer });
    expect(describeUnknown(outcome)).toContain(
      "returned 200 with a response that this endpoint does not define.",
    );
    expect(describeUnknown(outcome)).toMatch(
      /It is unknown whether the request was applied: the server does not show the result\.$/,
    );
  });
});

describe("rejection of a write", () => {
  test.each([400, 401, 403, 404, 405, 409, 412, 422, 429, 302])(
    "with status %d is thrown with the outcome notApplied and without a probe",
    async (status) => {
      const asked = createCaller(answered(status, { error: "no" }));
      const { probe, at } = probing(asked, THERE);
      const error = await rejection(write(asked, probe));
      expect(error).toMatchObject({ status, outcome: "notApplied" });
      expect(at).toEqual([]);
    },
  );

  test("by a refused connection is thrown with the outcome notApplied and without a probe", async () => {
    const asked = createCaller(unanswered("unreachable", "found nobody", "notApplied"));
    const { probe, at } = probing(asked, THERE);
    expect(await rejection(write(asked, probe))).toMatchObject({ outcome: "notApplied" });
    expect(at).toEqual([]);
  });

  test("returns the result that the caller's interpret function selects", async () => {
    for (const kind of ["applied", "preconditionFailed"] as const) {
      const { context } = createCaller(OWN_ERROR);
      const result = await sendForResult(context, {
        route: POST,
        address: {},
        send: (own) => send(own, POST, {}, { nature: "write" }),
        interpret: ({ status }) => (status === 500 ? kind : undefined),
      });
      expect(result).toEqual({ kind, answer: OWN_ERROR });
    }
  });
});

describe("server error after a write", () => {
  test("in the service's own format causes one probe and is reported unchanged", async () => {
    const asked = createCaller(OWN_ERROR);
    const { probe, at } = probing(asked, ABSENT);
    const outcome = await unknownOutcome(write(asked, probe));
    expect(at).toEqual([0]);
    expect(outcome).toMatchObject({ kind: "unknown", verdict: "rejected" });
    expect(describeUnknown(outcome)).toBe(outcome.error.message);
    expect(unknownError(outcome)).toBe(outcome.error);
    expect(outcome.error.message).toContain("no berth is free");
    expect(outcome.error.message).not.toMatch(/applied|unknown|Next:/);
  });

  test("in the service's own format is ignored if the probe finds the object", async () => {
    const asked = createCaller(OWN_ERROR);
    expect(await write(asked, probing(asked, THERE).probe)).toMatchObject({
      kind: "shown",
      found: "our quay",
    });
  });

  test("in the service's own format is thrown if there is no probe", async () => {
    const error = await rejection(write(createCaller(OWN_ERROR)));
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ status: 500, outcome: "serverError" });
  });

  const statuses: readonly (readonly [string, HttpResponse])[] = [
    ["500 in another format", answered(500, undefined, HTML)],
    ["501", answered(501, { error: "later" })],
    ["502", answered(502, undefined, HTML)],
    ["503", answered(503, { error: "sealed" })],
    ["504", answered(504, undefined, "")],
  ];

  test.each(statuses)("%s leaves the outcome unknown if there is no probe", async (_, answer) => {
    const outcome = await unknownOutcome(write(createCaller(answer)));
    expect(outcome).toMatchObject({ kind: "unknown", answer });
    expect(describeUnknown(outcome)).toContain("It is unknown whether the request was applied");
  });

  test("503 causes one probe, because the gateway had no server for the request", async () => {
    for (const [, answer] of statuses.filter(([name]) => name === "503")) {
      const asked = createCaller(answer);
      const { probe, at } = probing(asked, ABSENT);
      const outcome = await unknownOutcome(write(asked, probe));
      expect(at).toEqual([0]);
      expect(outcome).toMatchObject(NOT_APPLIED);
      expect(describeUnknown(outcome)).toContain("A read after the request does not show the result.");
    }
  });

  test.each(statuses.filter(([name]) => name !== "503"))(
    "%s causes repeated probes, because the request may still be in progress",
    async (_, answer) => {
      const asked = createCaller(answer);
      const { probe, at } = probing(asked, ABSENT);
      const outcome = await unknownOutcome(write(asked, probe));
      expect(at).toEqual([0, 1, 3, 7, 15]);
      expect(outcome).toMatchObject({ kind: "unknown", verdict: "undecided" });
      expect(describeUnknown(outcome)).toContain(
        "The server did not show the result within 20 s; the request may still be applied.",
      );
    },
  );
});

describe("sendOnce", () => {
  test("returns rejections, server's ID errors and the documented response as answers", async () => {
    for (const answer of [
      answered(400, { error: "no" }),
      answered(404),
      OWN_ERROR,
      answered(200, { berth: 7 }),
    ])
      expect(await sendOnce(createCaller(answer).context, POST, {})).toEqual({ answer });
  });

  test("reports an undocumented or missing response as lost, with the response if there is one", async () => {
    const lostResponses = [
      [answered(200, {}), "unknown"],
      [answered(502), "inFlight"],
      [answered(500, undefined, HTML), "inFlight"],
    ] as const;
    for (const [answer, outcome] of lostResponses)
      expect(await sendOnce(createCaller(answer).context, POST, {})).toMatchObject({
        lost: { outcome },
        answer,
      });
    const lost = await sendOnce(createCaller(timedOut()).context, POST, {});
    expect(lost).toMatchObject({ lost: { outcome: "inFlight" } });
    expect(lost).not.toHaveProperty("answer");
  });

  test("throws an error with the outcome notApplied", async () => {
    const failure = unanswered("unreachable", "found nobody", "notApplied");
    expect(await rejection(sendOnce(createCaller(failure).context, POST, {}))).toBe(failure);
  });
});
