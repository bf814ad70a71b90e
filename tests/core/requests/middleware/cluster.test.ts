import type { Client } from "../../../../provider/core/http/client";
import { serviceError } from "../../../../provider/core/http/errors";
import type { HttpRequest, HttpResponse } from "../../../../provider/core/http/request";
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

/** The response of a server to the question which server is active. */
interface Leader {
  readonly ha_enabled: boolean;
  readonly is_self?: boolean;
  readonly leader_address?: string;
}

const STANDBY_RESPONSE: Leader = { ha_enabled: true, leader_address: ACTIVE };
const ACTIVE_RESPONSE: Leader = { ...STANDBY_RESPONSE, is_self: true };

/** A connection to a cluster whose servers respond with `leaderOf`, or are unreachable if that is undefined. */
function connected(
  leaderOf: (server: string | undefined) => Leader | undefined,
  headers: HttpResponse["headers"] = {},
  status: (request: HttpRequest) => number = () => 200,
) {
  const runtime = testRuntime();
  const sent: HttpRequest[] = [];
  const warned: string[] = [];
  const lookups: (string | undefined)[] = [];
  const client: Client = {
    close: async () => undefined,
    async send(request) {
      const leader = leaderOf(request.server);
      if (leader === undefined) throw unreachable(request);
      if (request.path !== PATH) {
        sent.push(request);
        return { status: status(request), headers, text: "{}", json: {}, attempts: 1 };
      }
      lookups.push(request.server);
      const answer = { status: 200, headers: {}, text: "", json: { ...leader }, attempts: 1 };
      // The client repeats the request, too, until its grace period ends.
      for (let tries = 0; request.repeatWhile?.(answer) && tries < 5; tries++) {
        const next = leaderOf(request.server);
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
  return { reads, runtime, sent, warned, lookups };
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

const healthy = (server: string | undefined) => (server === undefined ? STANDBY_RESPONSE : ACTIVE_RESPONSE);

test("all requests go to the active server after one lookup", async () => {
  const { reads, sent, lookups, warned } = connected(healthy);
  await Promise.all([reads.send(read), reads.send(read)]);
  await reads.send(write);
  await reads.send(read);
  expect(sent.map(({ nature, server }) => [nature, server])).toEqual([
    ["read", ACTIVE],
    ["read", ACTIVE],
    ["write", ACTIVE],
    ["read", ACTIVE],
  ]);
  expect(lookups).toEqual([undefined, ACTIVE]);
  expect(warned).toEqual([]);
});

test("a request that is canceled or past its deadline causes no lookup", async () => {
  const { reads, runtime, lookups } = connected(healthy);
  await reads.send({ ...read, signal: AbortSignal.abort() });
  await reads.send({ ...read, deadline: runtime.now() });
  expect(lookups).toEqual([]);
});

test.each<[string, Leader]>([
  ["there is no cluster", { ha_enabled: false, leader_address: "" }],
  ["the active server has the configured address", { ...STANDBY_RESPONSE, leader_address: `${STANDBY}/` }],
])("requests go to the configured address if %s", async (_, leader) => {
  const { reads, sent, warned, runtime } = connected(() => leader);
  await reads.send(write);
  await reads.send(read);
  expect(sent.map(({ server }) => server)).toEqual([undefined, undefined]);
  expect(warned).toEqual([]);
  expect(runtime.slept).toEqual([]);
});

test("the lookup is repeated if it failed", async () => {
  let times = 0;
  const { reads, runtime, sent } = connected((server) => {
    times += 1;
    return times === 1 ? undefined : healthy(server);
  });
  await reads.send(read);
  await runtime.sleep(2 * BELIEVED_MS);
  await reads.send(read);
  expect(sent.map(({ server }) => server)).toEqual([undefined, ACTIVE]);
});

test("a server without high availability is looked up once", async () => {
  const { reads, runtime, lookups } = connected(() => ({ ha_enabled: false }));
  await reads.send(read);
  await runtime.sleep(2 * BELIEVED_MS);
  await reads.send(read);
  expect(lookups).toEqual([undefined]);
});

test("reads go to the active server's own address behind a load balancer, if it is reachable", async () => {
  const several = connected(() => ACTIVE_RESPONSE);
  await several.reads.send(read);
  expect(several.sent.map(({ server }) => server)).toEqual([ACTIVE]);
  const alias = connected((server) => (server === undefined ? ACTIVE_RESPONSE : undefined));
  await alias.reads.send(read);
  await alias.runtime.sleep(BELIEVED_MS + 1);
  await alias.reads.send(read);
  expect(alias.sent.map(({ server }) => server)).toEqual([undefined, undefined]);
  expect(alias.lookups).toEqual([undefined, undefined]);
  expect(alias.warned).toEqual([]);
});

test("a lookup response without leader fields means that there is no cluster", async () => {
  const { reads, sent, warned } = connected(() => ({}) as Leader);
  await reads.send(read);
  expect(sent.map(({ server }) => server)).toEqual([undefined]);
  expect(warned).toEqual([]);
});

test.each<[string, (server: string | undefined) => Leader | undefined, RegExp]>([
  [
    "the active server cannot be reached",
    (server) => (server === undefined ? STANDBY_RESPONSE : undefined),
    /the active server cannot be reached at its own address, https:\/\/ten\.example:8200/,
  ],
  [
    "the server at the active address is a standby",
    () => STANDBY_RESPONSE,
    /the active server cannot be reached at its own address, https:\/\/ten\.example:8200/,
  ],
  [
    "the active address is http and the configured one is https",
    () => ({ ...STANDBY_RESPONSE, leader_address: "http://ten.example:8200" }),
    /is not an https address/,
  ],
  ["no server is active", () => ({ ha_enabled: true }), /no active server at the moment/],
])("there is one warning, and a read after a write is delayed, if %s", async (_, leaderOf, why) => {
  const { reads, sent, warned, runtime } = connected(leaderOf);
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

test("the lookup is repeated after BELIEVED_MS", async () => {
  const { reads, runtime, lookups } = connected(healthy);
  await reads.send(read);
  await runtime.sleep(BELIEVED_MS);
  await reads.send(read);
  expect(lookups).toHaveLength(2);
  await runtime.sleep(1);
  await reads.send(read);
  expect(lookups).toHaveLength(4);
});

test("the lookup is repeated until the cluster has elected a leader", async () => {
  let times = 0;
  const { reads, sent, warned } = connected((server) => {
    if (server !== undefined) return ACTIVE_RESPONSE;
    times += 1;
    return times < 3 ? { ha_enabled: true, leader_address: "" } : STANDBY_RESPONSE;
  });
  await reads.send(read);
  expect(sent.map(({ server }) => server)).toEqual([ACTIVE]);
  expect(warned).toEqual([]);
});

const NEXT = "https://eleven.example:8200";

/** A cluster whose active server is replaced when the test calls `end`. */
function failover() {
  let isOver = false;
  const { reads, sent, runtime } = connected((server) => {
    if (!isOver) return healthy(server);
    if (server === ACTIVE) return undefined;
    return { ...(server === undefined ? STANDBY_RESPONSE : ACTIVE_RESPONSE), leader_address: NEXT };
  });
  const end = () => {
    isOver = true;
  };
  return { reads, sent, runtime, end };
}

test("a read goes to the new active server after a failover", async () => {
  const { reads, sent, end } = failover();
  await reads.send(read);
  end();
  await reads.send(read);
  expect(sent.map(({ server }) => server)).toEqual([ACTIVE, NEXT]);
});

test("a write based on a read is not sent to the new active server without another read", async () => {
  const { reads, sent, runtime, end } = failover();
  await reads.send(read);
  end();
  const basis = basedOnRead(new Attempts(runtime.now()), runtime.now());
  await expect(reads.send({ ...write, ...basis })).rejects.toBeInstanceOf(NotSent);
  expect(sent.map(({ server }) => server)).toEqual([ACTIVE]);
  await reads.send({ ...write, ...basis });
  expect(sent.map(({ server }) => server)).toEqual([ACTIVE, NEXT]);
});

test("a write based on a read fails if the failover takes longer than TAKEOVER_MS", async () => {
  const { reads, runtime, end } = failover();
  await reads.send(read);
  end();
  const basis = basedOnRead(new Attempts(runtime.now() - TAKEOVER_MS), runtime.now());
  await expect(reads.send({ ...write, ...basis })).rejects.toMatchObject({ outcome: "notApplied" });
});

const stateOf = (name: string, local: number, replicated = 0) =>
  Buffer.from(`v1:${name}:${local}:${replicated}:signature`).toString("base64");

test("a server that returns states gets the latest one with the next request, and no other lookup", async () => {
  const state = stateOf("one", 7);
  const { reads, sent, lookups } = connected(healthy, { "x-vault-index": state });
  await reads.send(write);
  await reads.send(read);
  expect(sent.map(({ headers }) => headers)).toEqual([
    undefined,
    { "x-vault-index": [state], "x-vault-inconsistent": "forward-active-node" },
  ]);
  expect(lookups).toEqual([undefined, ACTIVE]);
  expect(sent.map(({ server }) => server)).toEqual([ACTIVE, undefined]);
});

describe("latest states", () => {
  const { latest } = cluster.state;
  const [old, young] = [stateOf("one", 7, 3), stateOf("one", 8, 3)];

  test.each<[string, readonly string[], string, readonly string[]]>([
    ["the first state is added", [], old, [old]],
    ["a later state replaces an earlier one", [old], young, [young]],
    ["an earlier state that arrives later is ignored", [young], old, [young]],
    ["indexes are compared as numbers", [stateOf("one", 9)], stateOf("one", 10), [stateOf("one", 10)]],
    ["the state of another cluster is added", [old], stateOf("two", 1), [old, stateOf("two", 1)]],
    [
      "two states are both stored if neither includes the other",
      [stateOf("one", 9, 1)],
      stateOf("one", 1, 9),
      [stateOf("one", 9, 1), stateOf("one", 1, 9)],
    ],
    ["a state in an unknown format replaces all others", [old], "42", ["42"]],
    ["a readable state replaces an unreadable one", ["42"], old, [old]],
  ])("%s", (_, known, answered, expected) => {
    expect(latest(known, answered)).toEqual(expected);
  });
});

describe("request redirected by a standby that cannot reach the active server", () => {
  const byStandby = ({ server }: HttpRequest) => (server === undefined ? 307 : 200);

  test.each([read, write, { ...write, nature: "single-use" as const }])(
    "goes to the active server ($nature)",
    async (request) => {
      const { reads, sent } = connected(healthy, {}, byStandby);
      // If servers return states, there was no lookup before.
      expect((await reads.send(request)).status).toBe(200);
      expect(sent.at(-1)?.server).toBe(ACTIVE);
    },
  );

  test("is not sent again if it is based on a read", async () => {
    const { reads, sent, runtime } = connected(
      (server) => (server === ACTIVE && runtime.slept.length < 1 ? undefined : healthy(server)),
      {},
      byStandby,
    );
    const basis = basedOnRead(new Attempts(runtime.now()), runtime.now());
    await expect(reads.send({ ...write, ...basis })).rejects.toBeInstanceOf(NotSent);
    expect(sent.map(({ server }) => server)).toEqual([undefined]);
  });

  test("waits until the active server is reachable", async () => {
    const { reads, sent, runtime } = connected(
      (server) => (server === ACTIVE && runtime.slept.length < 3 ? undefined : healthy(server)),
      {},
      byStandby,
    );
    expect((await reads.send(write)).status).toBe(200);
    expect(runtime.slept).toHaveLength(3);
    expect(sent.filter(({ server }) => server === ACTIVE)).toHaveLength(1);
  });

  test("returns the 307 after TAKEOVER_MS", async () => {
    const { reads, runtime } = connected(
      (server) => (server === undefined ? STANDBY_RESPONSE : undefined),
      {},
      byStandby,
    );
    expect((await reads.send(write)).status).toBe(307);
    expect(runtime.slept.reduce((sum, ms) => sum + ms, 0)).toBe(TAKEOVER_MS);
  });

  test("returns the 307 before the deadline of its operation", async () => {
    const { reads, runtime } = connected(
      (server) => (server === undefined ? STANDBY_RESPONSE : undefined),
      {},
      byStandby,
    );
    const deadline = runtime.now() + 5000;
    expect((await reads.send({ ...write, deadline })).status).toBe(307);
    expect(runtime.now()).toBeLessThan(deadline);
  });

  test("returns the 307 at once if there is no cluster", async () => {
    const { reads, sent, runtime } = connected(() => ({ ha_enabled: false }), {}, byStandby);
    expect((await reads.send(write)).status).toBe(307);
    expect(sent).toHaveLength(1);
    expect(runtime.slept).toEqual([]);
  });
});

test("a read waits for the new active server if a standby still reports the old one", async () => {
  let isOver = false;
  const next = "https://eleven.example:8200";
  const { reads, sent, runtime, warned } = connected((server) => {
    if (!isOver) return healthy(server);
    if (server === ACTIVE) return undefined;
    // Standbys report the old active server for some time.
    const isChosen = runtime.slept.length >= 3;
    if (!isChosen) return STANDBY_RESPONSE;
    return { ...(server === undefined ? STANDBY_RESPONSE : ACTIVE_RESPONSE), leader_address: next };
  });
  await reads.send(read);
  isOver = true;
  await reads.send(read);
  expect(sent.map(({ server }) => server)).toEqual([ACTIVE, next]);
  expect(warned).toEqual([]);
});
