import type { Client } from "../../../../provider/core/http/client";
import { serviceError } from "../../../../provider/core/http/errors";
import type { HttpAnswer, HttpRequest } from "../../../../provider/core/http/request";
import { Attempts } from "../../../../provider/core/http/request";
import { basedOnRead, NotSent } from "../../../../provider/core/http/retry";
import {
  BELIEVED_MS,
  LAG_MS,
  sendInCluster,
  TAKEOVER_MS,
} from "../../../../provider/core/requests/middleware/cluster";
import { cluster } from "../../../../provider/services/secrets/cluster";
import { testRuntime } from "../../http/clients";

const STANDBY = "https://vault.example";
const ACTIVE = "https://ten.example:8200";
const PATH = "/v1/sys/leader";
const label = { definition: "secrets:QueueRole", step: "update" };
const read: HttpRequest = { label, method: "GET", path: "/v1/msgq/roles/app", nature: "read" };
const write: HttpRequest = { ...read, method: "POST", nature: "write" };

/** What a server says of the active one. */
interface Leader {
  readonly ha_enabled: boolean;
  readonly is_self?: boolean;
  readonly leader_address?: string;
}

const STANDBYS_WORD: Leader = { ha_enabled: true, leader_address: ACTIVE };
const OWN_WORD: Leader = { ...STANDBYS_WORD, is_self: true };

/** A connection to a cluster whose servers say what a test has them say; undefined where one cannot be reached. */
function connected(
  says: (server: string | undefined) => Leader | undefined,
  headers: HttpAnswer["headers"] = {},
  status: (request: HttpRequest) => number = () => 200,
) {
  const runtime = testRuntime();
  const sent: HttpRequest[] = [];
  const warned: string[] = [];
  const asked: (string | undefined)[] = [];
  const client: Client = {
    close: async () => undefined,
    async send(request) {
      const leader = says(request.server);
      if (leader === undefined) throw unreachable(request);
      if (request.path !== PATH) {
        sent.push(request);
        return { status: status(request), headers, text: "{}", json: {}, attempts: 1 };
      }
      asked.push(request.server);
      const answer = { status: 200, headers: {}, text: "", json: { ...leader }, attempts: 1 };
      // As the client does, until the grace ends.
      for (let tries = 0; request.repeatWhile?.(answer) && tries < 5; tries++) {
        const next = says(request.server);
        if (next !== undefined) answer.json = { ...next };
      }
      return answer;
    },
  };
  const send = sendInCluster({
    cluster,
    service: "secrets",
    address: STANDBY,
    prefix: "/v1",
    runtime,
    warn: (text) => warned.push(text),
  })((request) => client.send(request));
  const reads = { send };
  return { reads, runtime, sent, warned, asked };
}

function unreachable({ method, path }: HttpRequest): Error {
  return serviceError("unreachable", {
    service: "secrets",
    method,
    path,
    event: "could not be reached",
    advice: "",
    attempts: 1,
  });
}

const ofBoth = (server: string | undefined) => (server === undefined ? STANDBYS_WORD : OWN_WORD);

test("everything goes to the active server, and who that is is asked once", async () => {
  const { reads, sent, asked, warned } = connected(ofBoth);
  await Promise.all([reads.send(read), reads.send(read)]);
  await reads.send(write);
  await reads.send(read);
  expect(sent.map(({ nature, server }) => [nature, server])).toEqual([
    ["read", ACTIVE],
    ["read", ACTIVE],
    ["write", ACTIVE],
    ["read", ACTIVE],
  ]);
  expect(asked).toEqual([undefined, ACTIVE]);
  expect(warned).toEqual([]);
});

test("nobody is asked for what is cancelled, or too late", async () => {
  const { reads, runtime, asked } = connected(ofBoth);
  await reads.send({ ...read, signal: AbortSignal.abort() });
  await reads.send({ ...read, deadline: runtime.now() });
  expect(asked).toEqual([]);
});

test.each<[string, Leader]>([
  ["there is no cluster", { ha_enabled: false, leader_address: "" }],
  [
    "the active server's own address is the configured one",
    { ...STANDBYS_WORD, leader_address: `${STANDBY}/` },
  ],
])("reads stay at the configured address where %s", async (_, leader) => {
  const { reads, sent, warned, runtime } = connected(() => leader);
  await reads.send(write);
  await reads.send(read);
  expect(sent.map(({ server }) => server)).toEqual([undefined, undefined]);
  expect(warned).toEqual([]);
  expect(runtime.slept).toEqual([]);
});

test("where nobody says who is active it is asked again", async () => {
  let times = 0;
  const { reads, runtime, sent } = connected((server) => {
    times += 1;
    return times === 1 ? undefined : ofBoth(server);
  });
  await reads.send(read);
  await runtime.sleep(2 * BELIEVED_MS);
  await reads.send(read);
  expect(sent.map(({ server }) => server)).toEqual([undefined, ACTIVE]);
});

test("a server that is alone is asked once", async () => {
  const { reads, runtime, asked } = connected(() => ({ ha_enabled: false }));
  await reads.send(read);
  await runtime.sleep(2 * BELIEVED_MS);
  await reads.send(read);
  expect(asked).toEqual([undefined]);
});

test("where several servers may stand behind one address, reads go to the active one's own, if that can be reached", async () => {
  const several = connected(() => OWN_WORD);
  await several.reads.send(read);
  expect(several.sent.map(({ server }) => server)).toEqual([ACTIVE]);
  const alias = connected((server) => (server === undefined ? OWN_WORD : undefined));
  await alias.reads.send(read);
  await alias.runtime.sleep(BELIEVED_MS + 1);
  await alias.reads.send(read);
  expect(alias.sent.map(({ server }) => server)).toEqual([undefined, undefined]);
  expect(alias.asked).toEqual([undefined, undefined]);
  expect(alias.warned).toEqual([]);
});

test("what says nothing of a leader is no cluster", async () => {
  const { reads, sent, warned } = connected(() => ({}) as Leader);
  await reads.send(read);
  expect(sent.map(({ server }) => server)).toEqual([undefined]);
  expect(warned).toEqual([]);
});

test.each<[string, (server: string | undefined) => Leader | undefined, RegExp]>([
  [
    "the active server cannot be reached",
    (server) => (server === undefined ? STANDBYS_WORD : undefined),
    /it cannot be reached at https:\/\/ten\.example:8200/,
  ],
  [
    "whoever is at its address says that it is not the active one",
    () => STANDBYS_WORD,
    /it cannot be reached at https:\/\/ten\.example:8200/,
  ],
  [
    "its address is plain http, and the configured one is not",
    () => ({ ...STANDBYS_WORD, leader_address: "http://ten.example:8200" }),
    /is no https address/,
  ],
  ["no server is active", () => ({ ha_enabled: true }), /there is none at the moment/],
])("where %s it is said once, and a read waits a little after a write", async (_, says, why) => {
  const { reads, sent, warned, runtime } = connected(says);
  await reads.send(read);
  expect(runtime.slept).toEqual([]);
  await reads.send(write);
  await reads.send(read);
  await reads.send(read);
  expect(runtime.slept).toEqual([LAG_MS]);
  await runtime.sleep(BELIEVED_MS + 1);
  await reads.send(read);
  expect(sent.map(({ server }) => server)).toEqual(Array(5).fill(undefined));
  expect(warned).toEqual([expect.stringMatching(why)]);
  expect(warned[0]).toContain("may be one write behind");
});

test("who is active is asked again after a while", async () => {
  const { reads, runtime, asked } = connected(ofBoth);
  await reads.send(read);
  await runtime.sleep(BELIEVED_MS);
  await reads.send(read);
  expect(asked).toHaveLength(2);
  await runtime.sleep(1);
  await reads.send(read);
  expect(asked).toHaveLength(4);
});

test("a cluster that is choosing is asked until it has chosen", async () => {
  let times = 0;
  const { reads, sent, warned } = connected((server) => {
    if (server !== undefined) return OWN_WORD;
    times += 1;
    return times < 3 ? { ha_enabled: true, leader_address: "" } : STANDBYS_WORD;
  });
  await reads.send(read);
  expect(sent.map(({ server }) => server)).toEqual([ACTIVE]);
  expect(warned).toEqual([]);
});

const NEXT = "https://eleven.example:8200";

/** A cluster whose active server ends when a test says so: then another one takes its place. */
function passing() {
  let isOver = false;
  const { reads, sent, runtime } = connected((server) => {
    if (!isOver) return ofBoth(server);
    if (server === ACTIVE) return undefined;
    return { ...(server === undefined ? STANDBYS_WORD : OWN_WORD), leader_address: NEXT };
  });
  const end = () => {
    isOver = true;
  };
  return { reads, sent, runtime, end };
}

test("where the active server has ended, a read goes to the one that took its place", async () => {
  const { reads, sent, end } = passing();
  await reads.send(read);
  end();
  await reads.send(read);
  expect(sent.map(({ server }) => server)).toEqual([ACTIVE, NEXT]);
});

test("a write based on a read is not sent to the next active server without another read", async () => {
  const { reads, sent, runtime, end } = passing();
  await reads.send(read);
  end();
  const basis = basedOnRead(new Attempts(runtime.now()), runtime.now());
  await expect(reads.send({ ...write, ...basis })).rejects.toBeInstanceOf(NotSent);
  expect(sent.map(({ server }) => server)).toEqual([ACTIVE]);
  await reads.send({ ...write, ...basis });
  expect(sent.map(({ server }) => server)).toEqual([ACTIVE, NEXT]);
});

test("a write based on a read fails if a cluster has taken too long to replace its active server since the first attempt", async () => {
  const { reads, runtime, end } = passing();
  await reads.send(read);
  end();
  const basis = basedOnRead(new Attempts(runtime.now() - TAKEOVER_MS), runtime.now());
  await expect(reads.send({ ...write, ...basis })).rejects.toMatchObject({ outcome: "notApplied" });
});

const stateOf = (name: string, local: number, replicated = 0) =>
  Buffer.from(`v1:${name}:${local}:${replicated}:signature`).toString("base64");

test("a server that names its states is asked for none from before the latest, and no more who is active", async () => {
  const state = stateOf("one", 7);
  const { reads, sent, asked } = connected(ofBoth, { "x-vault-index": state });
  await reads.send(write);
  await reads.send(read);
  expect(sent.map(({ headers }) => headers)).toEqual([
    undefined,
    { "x-vault-index": [state], "x-vault-inconsistent": "forward-active-node" },
  ]);
  expect(asked).toEqual([undefined, ACTIVE]);
  expect(sent.map(({ server }) => server)).toEqual([ACTIVE, undefined]);
});

describe("the latest states", () => {
  const { latest } = cluster.state;
  const [old, young] = [stateOf("one", 7, 3), stateOf("one", 8, 3)];

  test.each<[string, readonly string[], string, readonly string[]]>([
    ["a first one", [], old, [old]],
    ["a later one takes the place of an earlier one", [old], young, [young]],
    ["an earlier one that comes later changes nothing", [young], old, [young]],
    ["indexes are numbers, of any size", [stateOf("one", 9)], stateOf("one", 10), [stateOf("one", 10)]],
    ["another cluster's stands beside", [old], stateOf("two", 1), [old, stateOf("two", 1)]],
    [
      "of two of which neither has all of the other both stay",
      [stateOf("one", 9, 1)],
      stateOf("one", 1, 9),
      [stateOf("one", 9, 1), stateOf("one", 1, 9)],
    ],
    ["of another form the last one", [old], "42", ["42"]],
    ["one that can be read takes the place of one that cannot", ["42"], old, [old]],
  ])("%s", (_, known, answered, expected) => {
    expect(latest(known, answered)).toEqual(expected);
  });
});

describe("a request that a server hands back, because it cannot reach the active one", () => {
  const byStandby = ({ server }: HttpRequest) => (server === undefined ? 307 : 200);

  test.each([read, write, { ...write, nature: "single-use" as const }])(
    "goes to the active one ($nature)",
    async (request) => {
      const { reads, sent } = connected(ofBoth, {}, byStandby);
      // Where servers name their states, nobody has asked who is active.
      expect((await reads.send(request)).status).toBe(200);
      expect(sent.at(-1)?.server).toBe(ACTIVE);
    },
  );

  test("is not sent again if it is based on a read", async () => {
    const { reads, sent, runtime } = connected(
      (server) => (server === ACTIVE && runtime.slept.length < 1 ? undefined : ofBoth(server)),
      {},
      byStandby,
    );
    const basis = basedOnRead(new Attempts(runtime.now()), runtime.now());
    await expect(reads.send({ ...write, ...basis })).rejects.toBeInstanceOf(NotSent);
    expect(sent.map(({ server }) => server)).toEqual([undefined]);
  });

  test("waits until there is one that can be reached", async () => {
    const { reads, sent, runtime } = connected(
      (server) => (server === ACTIVE && runtime.slept.length < 3 ? undefined : ofBoth(server)),
      {},
      byStandby,
    );
    expect((await reads.send(write)).status).toBe(200);
    expect(runtime.slept).toHaveLength(3);
    expect(sent.filter(({ server }) => server === ACTIVE)).toHaveLength(1);
  });

  test("is given up after a while, as it was answered", async () => {
    const { reads, runtime } = connected(
      (server) => (server === undefined ? STANDBYS_WORD : undefined),
      {},
      byStandby,
    );
    expect((await reads.send(write)).status).toBe(307);
    expect(runtime.slept.reduce((sum, ms) => sum + ms, 0)).toBe(TAKEOVER_MS);
  });

  test("is given up when its operation ends", async () => {
    const { reads, runtime } = connected(
      (server) => (server === undefined ? STANDBYS_WORD : undefined),
      {},
      byStandby,
    );
    const deadline = runtime.now() + 5000;
    expect((await reads.send({ ...write, deadline })).status).toBe(307);
    expect(runtime.now()).toBeLessThan(deadline);
  });

  test("is answered at once where there is no cluster: it is a redirect as any", async () => {
    const { reads, sent, runtime } = connected(() => ({ ha_enabled: false }), {}, byStandby);
    expect((await reads.send(write)).status).toBe(307);
    expect(sent).toHaveLength(1);
    expect(runtime.slept).toEqual([]);
  });
});

test("a read waits for another active server where there was one, before it believes a standby", async () => {
  let isOver = false;
  const next = "https://eleven.example:8200";
  const { reads, sent, runtime, warned } = connected((server) => {
    if (!isOver) return ofBoth(server);
    if (server === ACTIVE) return undefined;
    // Standbys name the one that ended for some time.
    const isChosen = runtime.slept.length >= 3;
    if (!isChosen) return STANDBYS_WORD;
    return { ...(server === undefined ? STANDBYS_WORD : OWN_WORD), leader_address: next };
  });
  await reads.send(read);
  isOver = true;
  await reads.send(read);
  expect(sent.map(({ server }) => server)).toEqual([ACTIVE, next]);
  expect(warned).toEqual([]);
});
