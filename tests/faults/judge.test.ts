import { catalog } from "../../provider/catalog";
import { capabilityOf } from "./capability";
import type { Course } from "./course";
import { judge } from "./judge";
import type { Judged } from "./judged";
import type { Stranger } from "./strangers";
import { created } from "./stretches";
import type { Sent } from "./wire";

const NOTHING = JSON.stringify({ roles: {} });
const MADE = JSON.stringify({ roles: { app: { ttl: 1, tags: ["a", "b"] } } });

const write: Sent = {
  method: "PUT",
  target: "/v1/roles/app",
  body: "{}",
  isRead: false,
  isSingleUse: false,
  carriedOut: 1,
  isDone: true,
  isHeard: true,
};
const refused: Sent = { ...write, isDone: false };
const unsent: Sent = { ...refused, carriedOut: 0 };

const nobody = { isShown: false, isLostUnseen: false, moved: undefined, dump: "" } as unknown as Stranger;

const checkOut: Sent = { ...write, target: "/v1/ldap/library/ops/check-out" };
const look: Sent = { ...write, method: "GET", target: "/v1/ldap/library/ops/status", isRead: true };

/** A create that went well. */
const free: Course = {
  happened: true,
  told: undefined,
  logged: [],
  requests: [write],
  keptAt: 0,
  tookMs: 0,
  later: [],
  ways: [],
  errors: [],
  stranger: nobody,
  said: [],
  before: NOTHING,
  after: MADE,
  anew: MADE,
  end: { isThere: true, isQuiet: true, isQuietAtLast: true, outcome: "", dump: MADE },
};

const definition = catalog["secrets:QueueRole"]?.();
if (definition === undefined) throw new Error("no such resource");
const cell: Judged = {
  life: created({}),
  can: capabilityOf(definition),
  at: 0,
  isInWindow: false,
  isKill: false,
  isDoubled: false,
  isLate: false,
  isDeceived: false,
  isBelieved: false,
};

/** The verdict on a create that said this after these requests. */
const onSaying = (text: string, requests: readonly Sent[], more: Partial<Judged> = {}) =>
  judge({ ...free, requests, said: [{ text, requests }] }, free, { ...cell, ...more });

test.each<[string, Sent[], Sent[]]>([
  ["conflict: x; nothing was written.", [write], [refused]],
  ["x already exists, so that this create was refused.", [look], [refused]],
  ["the rekey x is not under way; nothing was done.", [write], [refused]],
  ["the token may not delete it; nothing was sent.", [refused], []],
  ["PUT /v1/roles/app was not sent: its time was up", [write], [unsent]],
  ["x: no account shows as checked out by this request: reset", [checkOut], [checkOut, look]],
  ["x keeps moving; it was not deleted.", [write], [refused]],
  ["which was checked in again", [refused], [{ ...write, target: "/v1/ldap/library/ops/check-in" }]],
  [
    "it was cancelled, and a new one is started",
    [write],
    [{ ...write, method: "DELETE", target: "/v1/sys/rekey/init" }],
  ],
  ["x was changed right after our update", [unsent], [write]],
  ["Nothing more was done.", [{ ...write, isHeard: false }, write], [write, { ...write, isHeard: false }]],
])("%j is a lie after some requests, and none after others", (text, lying, honest) => {
  expect(onSaying(text, lying)).toEqual({ wrong: expect.stringContaining(text) });
  expect(onSaying(text, honest)).not.toEqual({ wrong: expect.stringContaining(text) });
});

test.each([
  "conflict: x was changed by somebody else since it was last read",
  "warning: deleting what was changed by somebody else, since",
  "ops was checked out meanwhile by somebody else.",
  "it is gone; somebody else purged it",
])("%j is a lie where nobody acted, and after a kill as well", (text) => {
  expect(onSaying(text, [])).toHaveProperty("wrong");
  expect(onSaying(text, [], { isKill: true })).toHaveProperty("wrong");
  expect(onSaying(text, [], { isDeceived: true })).not.toHaveProperty("wrong");
});

test("what leaves open who it was is no lie", () => {
  expect(onSaying("x was changed by somebody else, or with our own update,", [])).toEqual({
    outcome: "unharmed",
  });
});

test("a command that ends well and did nothing is told", () => {
  expect(judge({ ...free, after: NOTHING }, free, cell)).toEqual({
    wrong: expect.stringContaining("it ended well, and the service holds something else"),
  });
});

/** A create beside which somebody edited. */
function edited(
  end: string,
  moved: readonly (readonly [string, string | undefined])[],
  shown = true,
): Course {
  const stranger = { ...nobody, isShown: shown, moved: new Map(moved), dump: end } as unknown as Stranger;
  return { ...free, stranger, end: { ...free.end, dump: end } };
}
const EDITED = JSON.stringify({ roles: { app: { ttl: 2, tags: ["a", "b"] } } });

test("theirs stands where they wrote it, and nowhere else", () => {
  const edit: Judged = { ...cell, deed: "edit" };
  expect(judge(edited(EDITED, [[".roles.app.ttl", "2"]]), free, edit)).toEqual({ outcome: "kept" });
  expect(judge(edited(EDITED, [[".roles.other.ttl", "2"]]), free, edit)).toHaveProperty("wrong");
  expect(judge(edited(EDITED, [[".roles.app.ttl", "2"]], false), free, edit)).toHaveProperty("wrong");
});

test("what is missing is no edit of theirs", () => {
  const lacking = JSON.stringify({ roles: { app: { ttl: 1, tags: ["a"] } } });
  expect(judge(edited(lacking, [[".roles.app.ttl", "2"]]), free, { ...cell, deed: "edit" })).toHaveProperty(
    "wrong",
  );
});

test("what is left open is as it was or as it would be, and no third thing", () => {
  const errors = [new Error("it is open whether it happened")];
  const open = (dump: string) =>
    judge({ ...free, told: errors[0], errors, end: { ...free.end, dump } }, free, cell);
  expect(open(MADE)).toEqual({ outcome: "left open" });
  expect(open(NOTHING)).toEqual({ outcome: "left open" });
  expect(open(EDITED)).toHaveProperty("wrong");
});

test("a warning excuses the values that it tells, and no other", () => {
  const warned = (line: string, dump = EDITED) =>
    judge({ ...free, logged: [line], end: { ...free.end, dump } }, free, cell);
  const told =
    "it does not hold what was just written: the service made it another value, or somebody was faster:";
  expect(warned(`${told}\n  ttl  1  2`)).toEqual({ outcome: "warned" });
  expect(warned(`${told}\n  tags`)).toHaveProperty("wrong");
  expect(warned(`${told}\n  ttl  1  2`, NOTHING)).toHaveProperty("wrong");
});

test("a destroy takes away all that it takes away without any fault", () => {
  const before = { ...free, destroyed: { failure: undefined, dump: NOTHING } };
  const left = (dump: string, failure?: Error) =>
    judge({ ...before, destroyed: { failure, dump } }, before, cell);
  expect(left(NOTHING)).toEqual({ outcome: "unharmed" });
  expect(left(MADE)).toEqual({ wrong: expect.stringContaining("it leaves something behind: .roles.app") });
  expect(left(NOTHING, new Error("no"))).toEqual({ wrong: "in the end it cannot be destroyed: no" });
});

test("what was done once more excuses what it makes, and nothing else", () => {
  const rotate: Sent = { ...write, isSingleUse: true };
  const twice = (dump: string) =>
    judge(
      { ...free, requests: [rotate], later: [rotate], told: new Error("x"), end: { ...free.end, dump } },
      { ...free, requests: [rotate] },
      cell,
    );
  expect(twice(EDITED)).toEqual({ outcome: "done again" });
  expect(twice(JSON.stringify({ ...JSON.parse(MADE), mounts: { other: 1 } }))).toHaveProperty("wrong");
});

test("an edit that came in the window of a service that checks is lost", () => {
  const lost = { ...nobody, isLostUnseen: true } as unknown as Stranger;
  const on = (checksWrites: boolean) =>
    judge({ ...free, stranger: lost }, free, {
      ...cell,
      deed: "edit",
      isInWindow: true,
      can: { ...cell.can, checksWrites },
    });
  expect(on(true)).toHaveProperty("wrong");
  expect(on(false)).toEqual({ outcome: "lost in the window" });
});
