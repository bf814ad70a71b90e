import { checksByRejection } from "../../../provider/core/language/creation";
import type { Observation } from "../../../provider/core/language/object";
import { type ObjectContext, object } from "../../../provider/core/language/resource";
import type { Service } from "../../../provider/core/language/service";
import { type CheckAndSet, repeatableWrite, returnedIndex } from "../../../provider/core/language/writes";
import { probeAuthorship } from "../../../provider/core/operations/write/ownership";
import { sendObject, stillHolds, type Write } from "../../../provider/core/requests/write";
import { withMetadata } from "../../../provider/core/value/programInputs";
import { exampleDefinition, exampleLifecycle, exampleService } from "../../generate/exampleDefinition";
import { answered, type Caller, createCaller, OPERATION_MS, unanswered } from "./caller";

const WRITE: Write = {
  route: { method: "PUT", path: "/quays" },
  address: {},
  body: { depth: 7 },
  inputs: withMetadata({ depth: 7 }, {}),
  revision: "4",
};

const FOUND = { address: {}, body: { depth: 7 } };

const index = { token: "index", requestParts: (token: string) => ({ query: { cas: token } }) };

const repeated = repeatableWrite({ ...index, isNeverUpdated: () => false });

const service: Service = {
  ...exampleService,
  errorKind: ({ text }) => (text === "false" ? "checkAndSetLost" : undefined),
};

const named = returnedIndex({
  ...index,
  returnedToken: () => undefined,
  isOwn: () => true,
  isUnchangedSince: () => false,
  versions: async () => [],
});

/** The context of a quay whose writes use check-and-set, as far as a write needs it. */
function contextOf({ context }: Caller, check: CheckAndSet = repeated): ObjectContext {
  const definition = { ...exampleDefinition, service, life: { ...exampleDefinition.life, check } };
  return {
    ...context,
    definition,
    step: "update",
    name: () => "harbour:Quay",
    observe: () => Promise.reject(new Error("it was not expected to look")),
  };
}

describe("replay of a write", () => {
  test("returns whether the service still stores the write, with the original check-and-set token", async () => {
    for (const [answer, holds] of [
      [answered(200, true), true],
      [answered(200, false), false],
      [answered(403, { error: "no" }), undefined],
    ] as const) {
      const asked = createCaller(answer);
      expect(await stillHolds(contextOf(asked), WRITE, FOUND)).toBe(holds);
      expect(asked.sent).toMatchObject([{ query: { cas: "4" }, body: { depth: 7 } }]);
    }
  });

  const lost = unanswered("unclearAnswer", "lost its connection");

  // A replay changes nothing, so that it can be sent again.
  test.each([
    ["after a lost response", lost],
    ["after a 502 from a gateway", answered(502)],
    ["after an undocumented response", answered(200, {})],
  ])("is sent again %s, at most four times in total", async (_, failure) => {
    const again = createCaller(failure, answered(200, true));
    expect(await stillHolds(contextOf(again), WRITE, FOUND)).toBe(true);
    const never = createCaller(failure, failure, failure, failure);
    expect(await stillHolds(contextOf(never), WRITE, FOUND)).toBeUndefined();
    expect(never.sent).toHaveLength(4);
  });

  test("is not sent after a cancel", async () => {
    const asked = createCaller();
    const context = { ...contextOf(asked), signal: AbortSignal.abort() };
    expect(await stillHolds(context, WRITE, FOUND)).toBeUndefined();
    expect(asked.sent).toEqual([]);
  });

  test("is not sent after the deadline of the operation", async () => {
    const asked = createCaller();
    await asked.runtime.sleep(OPERATION_MS);
    expect(await stillHolds(contextOf(asked), WRITE, FOUND)).toBeUndefined();
    expect(asked.sent).toEqual([]);
  });

  test("is not sent with a named index, for which it proves nothing", async () => {
    const asked = createCaller();
    expect(await stillHolds(contextOf(asked, named), WRITE, FOUND)).toBeUndefined();
    expect(asked.sent).toEqual([]);
  });

  test("is not sent if the service rejects equal writes", async () => {
    const asked = createCaller();
    const check = { ...repeated, rejectsIdentical: ({ looked }: Observation["body"]) => looked === true };
    const lookedAt = { address: {}, body: { depth: 7, looked: true } };
    expect(await stillHolds(contextOf(asked, check), WRITE, lookedAt)).toBeUndefined();
    expect(asked.sent).toEqual([]);
    expect(await stillHolds(contextOf(createCaller(answered(200, true)), check), WRITE, FOUND)).toBe(true);
  });

  test("throws any other error", async () => {
    await expect(stillHolds(contextOf(createCaller()), WRITE, FOUND)).rejects.toThrow("not expected to ask");
  });
});

describe("probeAuthorship for an object with more than the written values", () => {
  const unproven = { ...FOUND, isUnproven: true };

  test.each([
    ["accepts", answered(200, true), true, { isApplied: true, found: FOUND }],
    ["accepts", answered(200, true), false, { isApplied: true, found: FOUND }],
    ["rejects", answered(200, false), true, { isApplied: false, found: FOUND, isPerhapsOurs: false }],
    ["does not decide", answered(403, { error: "no" }), true, { isApplied: true, found: unproven }],
    [
      "does not decide",
      answered(403, { error: "no" }),
      false,
      { isApplied: false, found: FOUND, isPerhapsOurs: true },
    ],
  ])("returns the expected result if the service %s its replay (%#)", async (_, answer, isHeld, expected) => {
    expect(await probeAuthorship(contextOf(createCaller(answer)), WRITE, FOUND, isHeld)).toEqual(expected);
  });

  test.each([true, false])("sends nothing if a replay proves nothing (isHeld: %p)", async (isHeld) => {
    const asked = createCaller();
    expect(await probeAuthorship(contextOf(asked, named), WRITE, FOUND, isHeld)).toEqual({
      isApplied: isHeld,
      found: unproven,
    });
    const unchecked = { ...contextOf(asked), definition: exampleDefinition };
    expect(await probeAuthorship(unchecked, WRITE, FOUND, isHeld)).toEqual({
      isApplied: isHeld,
      found: FOUND,
    });
    expect(asked.sent).toEqual([]);
  });
});

describe("sendObject", () => {
  test("returns preconditionFailed for an existing object only if the write is a create", async () => {
    const refusal = answered(400, { error: "exists" });
    for (const [token, kind] of [
      ["0", "preconditionFailed"],
      ["4", "rejected"],
    ] as const) {
      const asked = createCaller(refusal);
      const own = contextOf(asked);
      const life = object({ ...exampleLifecycle, creation: { existing: checksByRejection(() => true) } });
      const definition = { ...own.definition, life };
      expect(await sendObject({ ...own, definition }, { ...WRITE, revision: token })).toMatchObject({ kind });
    }
  });

  test("returns preconditionFailed for checkAndSetLost", async () => {
    const asked = createCaller(answered(200, false));
    expect(await sendObject(contextOf(asked), WRITE)).toMatchObject({ kind: "preconditionFailed" });
  });

  test("masks the values that it sends back in later messages", async () => {
    const asked = createCaller(answered(204));
    const context = contextOf(asked);
    await sendObject(context, { ...WRITE, sentBack: { color: "a hush of blue" } });
    expect(asked.sent).toMatchObject([{ body: { depth: 7, color: "a hush of blue" } }]);
    expect(context.redactor.mask("refused: a hush of blue")).not.toContain("hush");
  });
});
