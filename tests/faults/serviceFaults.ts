import type { Answer } from "../../testing/stub/frame/answer";
import type { ServiceName } from "../../testing/stub/service";
import type { Fault } from "./fault";
import { USER_CHANGES, type UserChange } from "./otherUser";

const GROUPS = {
  edit: "concurrent edit",
  delete: "concurrent delete",
  "equal create": "concurrent identical create",
  same: "concurrent same action",
  undoing: "concurrent undo",
} as const;

const NAMES: Readonly<Record<UserChange, string>> = {
  edit: "another user's edit",
  delete: "another user's delete",
  "equal create": "another user's equal create",
  same: "another user does the same",
  undoing: "another user reverts it",
};

const changeFault = (kind: UserChange, when: "before" | "after"): Fault => ({
  name: `${NAMES[kind]} just ${when}`,
  to: "any",
  carries: "yes",
  received: "answer",
  group: GROUPS[kind],
  change: { kind, when },
  isConditional: true,
  happening:
    ({ otherUser }) =>
    async (passage) => {
      if (when === "before") await otherUser(kind);
      const answer = await passage.carryOut();
      if (when === "after") await otherUser(kind);
      passage.answer(answer);
    },
});

/** Changes that another user makes at the same moment. */
export const otherUserFaults: readonly Fault[] = USER_CHANGES.flatMap((kind) => [
  changeFault(kind, "before"),
  changeFault(kind, "after"),
]);

const AN_HOUR_MS = 3_600_000;

/** A wrong clock matters only if an object must be found again. */
const wrongClock = (ms: number): Fault => ({
  name: `the service's clock an hour ${ms > 0 ? "ahead" : "behind"}, and the answer lost`,
  to: "any",
  carries: "yes",
  received: "reset",
  group: "wrong server clock",
  clockAheadMs: ms,
  happening: () => async (passage) => {
    await passage.carryOut();
    passage.reset();
  },
});

/** Only the clock is wrong. */
const onlyAWrongClock = (ms: number): Fault => ({
  name: `the service's clock an hour ${ms > 0 ? "ahead" : "behind"}`,
  to: "any",
  carries: "yes",
  received: "answer",
  group: "wrong server clock",
  clockAheadMs: ms,
  isRequestIndependent: true,
  happening: () => async (passage) => passage.answer(await passage.carryOut()),
});

const DENIED: Readonly<Record<ServiceName, readonly [status: number, body: string]>> = {
  workspaces: [401, '{"errors":[{"status":"401","title":"unauthorized"}]}'],
  scheduler: [403, "ACL token expired"],
  secrets: [403, '{"errors":["permission denied"]}'],
  mesh: [403, "ACL not found"],
};

/** Faults of the service that affect every client. */
export const serviceFaults: readonly Fault[] = [
  wrongClock(AN_HOUR_MS),
  wrongClock(-AN_HOUR_MS),
  onlyAWrongClock(AN_HOUR_MS),
  onlyAWrongClock(-AN_HOUR_MS),
  {
    name: "the token ends",
    to: "any",
    carries: "no",
    received: "denied",
    group: "rejected token",
    lasts: true,
    happening:
      ({ service }) =>
      (passage) => {
        const [status, body] = DENIED[service];
        passage.answer({ status, headers: {}, body: Buffer.from(body) });
      },
  },
  listing("a list with an empty page", withoutPage),
  listing("a list with half of a page", withHalfAPage),
  listing("a list that ends after a page", endingHere),
];

/** A list with missing elements. It does not happen if the response is not a list. */
function listing(name: string, lacking: (answer: Answer) => Answer | undefined): Fault {
  return {
    name,
    to: "reads",
    carries: "yes",
    received: "answer",
    group: "incomplete list",
    isConditional: true,
    happening:
      ({ skip }) =>
      async (passage) => {
        const answer = await passage.carryOut();
        const without = lacking(answer);
        if (without === undefined) skip();
        passage.answer(without ?? answer);
      },
  };
}

/** The response with an empty page; undefined if it is not a list, or an empty one. */
function withoutPage(answer: Answer): Answer | undefined {
  return otherwise(answer, (json) => lackingIn(json, 0));
}

/** The response with the first half of its elements; undefined if it has at most one. */
function withHalfAPage(answer: Answer): Answer | undefined {
  return otherwise(answer, (json) => lackingIn(json, HALF));
}

const HALF = 0.5;

/** The response, marked as the last page; undefined if it is the last page. */
function endingHere(answer: Answer): Answer | undefined {
  return otherwise(answer, (json) => {
    const list: Record<string, unknown> = Object(json);
    const meta: Record<string, unknown> = Object(list.meta);
    const pagination: Record<string, unknown> = Object(meta.pagination);
    if (typeof pagination["next-page"] !== "number") return undefined;
    return { ...list, meta: { ...meta, pagination: { ...pagination, "next-page": null } } };
  });
}

/** The response with a changed body; undefined if it has no such body. */
function otherwise(answer: Answer, change: (json: unknown) => unknown): Answer | undefined {
  if (answer.status !== 200) return undefined;
  const text = answer.body.toString("utf8");
  const changed = change(text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : undefined);
  if (changed === undefined) return undefined;
  const { "content-length": _, ...headers } = answer.headers;
  return { ...answer, headers, body: Buffer.from(JSON.stringify(changed)) };
}

/** Removes elements from a list in the format of each service: JSON:API data, the keys of Vault, and plain arrays. */
function lackingIn(answer: unknown, part: number): unknown {
  const cut = (all: readonly unknown[]) => all.slice(0, Math.floor(all.length * part));
  const isLong = (value: unknown): value is unknown[] =>
    Array.isArray(value) && value.length > (part === 0 ? 0 : 1);
  if (isLong(answer)) return cut(answer);
  if (typeof answer !== "object" || answer === null || !("data" in answer)) return undefined;
  const { data } = answer;
  if (isLong(data)) return { ...answer, data: cut(data) };
  if (typeof data !== "object" || data === null || !("keys" in data)) return undefined;
  return isLong(data.keys) ? { ...answer, data: { ...data, keys: cut(data.keys) } } : undefined;
}
