import { catalog } from "../../provider/catalog";
import { ActionableError } from "../../provider/core/http/remedies";
import { capabilityOf } from "./capability";
import type { Message } from "./claims";
import { judge } from "./judge";
import type { Judged } from "./judged";
import type { OtherUser } from "./otherUser";
import type { ScenarioRun } from "./scenarioRun";
import { createScenario } from "./scenarios";
import type { Sent } from "./wire";

const NOTHING = JSON.stringify({ roles: {} });
const MADE = JSON.stringify({ roles: { app: { ttl: 1, tags: ["a", "b"] } } });

const write: Sent = {
  method: "PUT",
  target: "/v1/roles/app",
  body: "{}",
  id: "1",
  isRead: false,
  isSingleUse: false,
  carriedOut: 1,
  isDone: true,
  isHeard: true,
};
const refused: Sent = { ...write, isDone: false };
const unsent: Sent = { ...refused, carriedOut: 0 };

const nobody = {
  isShown: false,
  isOverwrittenUnseen: false,
  changes: undefined,
  dump: "",
} as unknown as OtherUser;

const look: Sent = { ...write, method: "GET", target: "/v1/ldap/library/ops/status", isRead: true };

/** A successful create. */
const free: ScenarioRun = {
  happened: true,
  failure: undefined,
  notices: [],
  requests: [write],
  storedAt: 0,
  durationMs: 0,
  later: [],
  remedies: [],
  errors: [],
  otherUser: nobody,
  messages: [],
  before: NOTHING,
  after: MADE,
  recreated: MADE,
  end: { exists: true, showsNoChanges: true, finallyShowsNoChanges: true, outcome: "", dump: MADE },
};

const definition = catalog["secrets:QueueRole"]?.();
if (definition === undefined) throw new Error("no such resource");
const cell: Judged = {
  life: createScenario({}),
  can: capabilityOf(definition),
  at: 0,
  isInWindow: false,
  isKill: false,
  isDoubled: false,
  isLate: false,
  isDeceived: false,
  isBelieved: false,
};

/** The verdict on a create that reported these facts after these requests. */
const onReport = (message: Partial<Message>, requests: readonly Sent[], more: Partial<Judged> = {}) =>
  judge({ ...free, requests, messages: [{ text: TEXT, facts: {}, ...message, requests }] }, free, {
    ...cell,
    ...more,
  });

const noId = ({ id: _, ...sent }: Sent): Sent => sent;
const TEXT = "the message";
const FALSE = { wrong: expect.stringContaining(TEXT) };
const unsentWrite = {
  ids: { own: "1" },
  method: "PUT",
  path: "/v1/roles/app",
  status: undefined,
  outcome: "notApplied",
} as const;
const checkOut: Sent = { ...write, target: "/v1/ldap/library/ops/check-out", isSingleUse: true };
const lost: Sent = { ...write, isHeard: false };

test.each<[string, Partial<Message>, Sent[], Sent[]]>([
  ["no write was applied", { facts: { outcome: "notApplied" } }, [write], [refused]],
  ["a write was rejected", { facts: { outcome: "rejected" } }, [look], [refused]],
  ["no write was sent", { facts: { outcome: "notSent" } }, [refused], []],
  ["a write was applied", { facts: { outcome: "applied" } }, [unsent], [write]],
  ["the failed request was not sent", { failure: unsentWrite }, [write], [unsent]],
  [
    "the failed request was not sent, after an applied request with the same method and path,",
    { failure: unsentWrite },
    [{ ...write, id: "2" }, write],
    [{ ...write, id: "2" }, unsent],
  ],
  [
    "the failed request, without an ID, was not sent",
    { failure: unsentWrite },
    [noId(write)],
    [noId(unsent)],
  ],
  ["a read did not show the action", { facts: { isNotShown: true } }, [checkOut], [checkOut, look]],
  ["no write followed the lost response", { facts: { isLastWrite: true } }, [lost, write], [write, lost]],
  [
    "the account was checked in again",
    { facts: { isReverted: true } },
    [refused],
    [{ ...write, target: "/v1/ldap/library/ops/check-in" }],
  ],
  [
    "the rekey was canceled",
    { facts: { isReverted: true } },
    [write],
    [{ ...write, method: "DELETE", target: "/v1/sys/rekey/init" }],
  ],
])("a message that %s is false after some requests, and true after others", (_, message, lying, honest) => {
  expect(onReport(message, lying)).toEqual(FALSE);
  expect(onReport(message, honest)).not.toEqual(FALSE);
});

test("a change by someone else is false if no one acted, also after a kill", () => {
  const message = { facts: { changedBy: "someoneElse" } } as const;
  expect(onReport(message, [])).toEqual(FALSE);
  expect(onReport(message, [], { isKill: true })).toEqual(FALSE);
  expect(onReport(message, [], { isDeceived: true })).not.toEqual(FALSE);
});

test("a change by an unknown author is never false", () => {
  expect(onReport({ facts: { changedBy: "unknown" } }, [])).toEqual({ outcome: "no effect" });
});

test("a command that succeeds without writing is wrong", () => {
  expect(judge({ ...free, after: NOTHING }, free, cell)).toEqual({
    wrong: expect.stringContaining("it ended well, and the service holds something else"),
  });
});

/** A create with a concurrent edit by another user. */
function edited(
  end: string,
  changes: readonly (readonly [string, string | undefined])[],
  shown = true,
): ScenarioRun {
  const otherUser = {
    ...nobody,
    isShown: shown,
    changes: new Map(changes),
    dump: end,
  } as unknown as OtherUser;
  return { ...free, otherUser, end: { ...free.end, dump: end } };
}
const EDITED = JSON.stringify({ roles: { app: { ttl: 2, tags: ["a", "b"] } } });

test("another user's edit is kept only at the path of the edit", () => {
  const edit: Judged = { ...cell, userChange: "edit" };
  expect(judge(edited(EDITED, [[".roles.app.ttl", "2"]]), free, edit)).toEqual({ outcome: "edit preserved" });
  expect(judge(edited(EDITED, [[".roles.other.ttl", "2"]]), free, edit)).toHaveProperty("wrong");
  expect(judge(edited(EDITED, [[".roles.app.ttl", "2"]], false), free, edit)).toHaveProperty("wrong");
});

test("a missing value is not another user's edit", () => {
  const lacking = JSON.stringify({ roles: { app: { ttl: 1, tags: ["a"] } } });
  expect(
    judge(edited(lacking, [[".roles.app.ttl", "2"]]), free, { ...cell, userChange: "edit" }),
  ).toHaveProperty("wrong");
});

test("an unknown outcome allows only the state before or after the write", () => {
  const errors = [new ActionableError("lost", [], { outcome: "unknown", isUnknownForGood: true })];
  const open = (dump: string) =>
    judge({ ...free, failure: errors[0], errors, end: { ...free.end, dump } }, free, cell);
  expect(open(MADE)).toEqual({ outcome: "unknown" });
  expect(open(NOTHING)).toEqual({ outcome: "unknown" });
  expect(open(EDITED)).toHaveProperty("wrong");
});

test("a warning excuses only the values that it names", () => {
  const warned = (text: string, dump = EDITED) => {
    const notice = { text, facts: { outcome: "applied", changedBy: "unknown" } } as const;
    return judge({ ...free, notices: [notice], end: { ...free.end, dump } }, free, cell);
  };
  expect(warned("changed:\n  ttl  1  2")).toEqual({ outcome: "warned" });
  expect(warned("changed:\n  tags")).toHaveProperty("wrong");
  expect(warned("changed:\n  ttl  1  2", NOTHING)).toHaveProperty("wrong");
});

test("a destroy deletes everything that it deletes without a fault", () => {
  const before = { ...free, destruction: { failure: undefined, dump: NOTHING } };
  const left = (dump: string, failure?: Error) =>
    judge({ ...before, destruction: { failure, dump } }, before, cell);
  expect(left(NOTHING)).toEqual({ outcome: "no effect" });
  expect(left(MADE)).toEqual({ wrong: expect.stringContaining("it leaves something behind: .roles.app") });
  expect(left(NOTHING, new Error("no"))).toEqual({ wrong: "in the end it cannot be destroyed: no" });
});

test("a repeated action excuses only its own results", () => {
  const rotate: Sent = { ...write, isSingleUse: true };
  const twice = (dump: string) =>
    judge(
      { ...free, requests: [rotate], later: [rotate], failure: new Error("x"), end: { ...free.end, dump } },
      { ...free, requests: [rotate] },
      cell,
    );
  expect(twice(EDITED)).toEqual({ outcome: "repeated" });
  expect(twice(JSON.stringify({ ...JSON.parse(MADE), mounts: { other: 1 } }))).toHaveProperty("wrong");
});

test("an edit between read and write is a loss only if the service checks writes", () => {
  const lost = { ...nobody, isOverwrittenUnseen: true } as unknown as OtherUser;
  const on = (checksWrites: boolean) =>
    judge({ ...free, otherUser: lost }, free, {
      ...cell,
      userChange: "edit",
      isInWindow: true,
      can: { ...cell.can, checksWrites },
    });
  expect(on(true)).toHaveProperty("wrong");
  expect(on(false)).toEqual({ outcome: "overwritten" });
});
