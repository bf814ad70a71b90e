import type * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import { drift, type ResourceReport, type WatchEvent, type WatchOptions } from "../../cli/drift";
import * as quarterdeck from "../../sdk";
import { rounds } from "../rounds";
import { type Ask, consoleOn } from "../stack/console";
import { TestStack } from "../stack/stack";
import { watching } from "./watching";

// Complete engine commands, on any machine.
jest.setTimeout(240_000);

const EACH = 4;
const numbers = Array.from({ length: EACH }, (_, number) => number);

const job = (name: string) => ({
  ID: name,
  TaskGroups: [{ Name: "front", Count: 1, Tasks: [{ Name: "server", Driver: "docker" }] }],
});

const program: pulumi.automation.PulumiFn = async () => {
  for (const number of numbers) {
    new quarterdeck.scheduler.Job(`job-${number}`, { json: job(`job-${number}`) });
    new quarterdeck.mesh.ServiceDefaults(`entry-${number}`, {
      name: `entry-${number}`,
      spec: { protocol: "http" },
    });
    new quarterdeck.secrets.QueueRole(`role-${number}`, { name: `role-${number}`, tags: "monitoring" });
    new quarterdeck.workspaces.Workspace(`space-${number}`, {
      organization: "acme",
      name: `space-${number}`,
      description: "ours",
    });
  }
};

let stack: TestStack;
let ask: Ask;
let state: string;
let configuration: ReadonlyMap<string, string>;
const spaces = new Map<string, string>();

beforeEach(async () => {
  stack = await TestStack.open();
  ask = consoleOn(stack.stub);
  expect((await stack.up(program)).failure).toBeUndefined();
  state = JSON.stringify(await stack.stack.exportStack());
  configuration = new Map(
    Object.entries(await stack.stack.getAllConfig()).map(([key, { value }]) => [key, value]),
  );
  for (const number of numbers) {
    const name = `space-${number}`;
    const { body } = await ask("workspaces", "GET", `/api/v2/organizations/acme/workspaces/${name}`);
    spaces.set(name, body.data.id);
  }
});
afterEach(() => stack.close());

/** Changes outside the stack: sets the object of this number to this value; 0 is the value of the program. */
const KINDS: Readonly<Record<string, (number: number, value: number) => Promise<unknown>>> = {
  job: (number, value) =>
    ask("scheduler", "POST", "/v1/jobs", { Job: { ...job(`job-${number}`), Priority: 50 + value } }),
  entry: (number, value) =>
    value === 3
      ? ask("mesh", "DELETE", `/v1/config/service-defaults/entry-${number}`)
      : ask("mesh", "PUT", "/v1/config", {
          Kind: "service-defaults",
          Name: `entry-${number}`,
          Protocol: ["http", "grpc", "tcp"][value],
        }),
  role: (number, value) =>
    ask("secrets", "POST", `/v1/rabbitmq/roles/role-${number}`, {
      tags: value === 0 ? "monitoring" : `t${value}`,
    }),
  space: (number, value) =>
    ask("workspaces", "PATCH", `/api/v2/workspaces/${spaces.get(`space-${number}`)}`, {
      data: { type: "workspaces", attributes: { description: value === 0 ? "ours" : `theirs ${value}` } },
    }),
};

interface Edit {
  readonly kind: string;
  readonly number: number;
  readonly value: number;
}

const edits: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom(...Object.keys(KINDS)),
  number: fc.constantFrom(...numbers),
  value: fc.integer({ min: 0, max: 3 }),
});

const begun = (options: Partial<WatchOptions> = {}) =>
  watching({ state, configuration, interval: 1, ...options });

const essence = ({ verdict, fields = [], ignored }: ResourceReport) =>
  JSON.stringify([verdict, fields, ignored]);

/** The last event of each resource; a resource without an event is in sync. */
function lastEvents(events: readonly WatchEvent[]): Map<string, string> {
  return new Map(
    events.flatMap((event) => (event.event === "resource" ? [[event.urn, essence(event)]] : [])),
  );
}

const IN_SYNC = JSON.stringify(["in sync", [], undefined]);

test("after many random edits, the last state of every object has been reported, and no state twice in a row", async () => {
  const own = begun();
  await own.until(() => own.ofKind("began").length === 1, "it begins");
  expect(own.ofKind("began")[0]).toMatchObject({
    stack: "dev",
    waiting: 2 * EACH,
    polled: 2 * EACH,
    interval: 1,
  });
  await stack.stub.clearRequests();
  const sample = fc.sample(edits, rounds(1000, 150));
  for (const { kind, number, value } of sample) {
    await KINDS[kind]?.(number, value);
  }
  const now = await drift({ state, configuration, env: {} });
  const expected = now.resources.map((report) => [report.name, essence(report)]);
  const isReported = () => {
    const last = lastEvents(own.told);
    return now.resources.every((report) => (last.get(report.urn) ?? IN_SYNC) === essence(report));
  };
  await own.until(isReported, `last states ${JSON.stringify(expected)}`);
  // No state is reported twice in a row.
  const before = new Map<string, string>();
  for (const event of own.ofKind("resource")) {
    const state = JSON.stringify([essence(event), event.when]);
    expect([event.name, before.get(event.urn)]).not.toEqual([event.name, state]);
    before.set(event.urn, state);
  }
  expect(await own.end()).toMatchObject({ event: "ended", counts: now.counts });
  expect(now.counts.drifted).toBeGreaterThan(3);
  expect(own.ofKind("blind")).toEqual([]);
});

test("drift and its end are reported before the next poll if the API has blocking queries", async () => {
  const own = begun({ interval: 3600 });
  await own.until(() => own.ofKind("began").length === 1, "it begins");
  const isLastReported = (name: string, verdict: string) => () =>
    own.ofKind("resource").at(-1)?.name === name && own.ofKind("resource").at(-1)?.verdict === verdict;
  for (const kind of ["job", "entry"]) {
    await KINDS[kind]?.(1, 1);
    await own.until(isLastReported(`${kind}-1`, "drifted"), "the drift");
    await KINDS[kind]?.(1, 0);
    await own.until(isLastReported(`${kind}-1`, "in sync"), "its end");
  }
  await KINDS.role?.(1, 1);
  await own.end();
  // Vault has no blocking queries, and the interval has not passed.
  expect(own.ofKind("resource").map(({ name }) => name)).not.toContain("role-1");
});

test("a lost connection is reported with its duration, and later the changes made meanwhile", async () => {
  const own = begun();
  await own.until(() => own.ofKind("began").length === 1, "it begins");
  // The fault does not affect the edits.
  await stack.stub.fault({
    match: { service: "mesh", method: "GET" },
    kind: "lostRequest",
    times: "always",
  } as never);
  await KINDS.entry?.(0, 1);
  await KINDS.entry?.(2, 1);
  await own.until(() => own.ofKind("blind").length === 1, "it is blind");
  expect(own.ofKind("blind")[0]).toMatchObject({ service: "mesh", why: expect.stringMatching(/\w/) });
  expect(own.ofKind("resource").filter(({ type }) => type.startsWith("mesh"))).toEqual([]);
  await KINDS.entry?.(2, 2);
  await stack.stub.clearFaults();
  await own.until(() => own.ofKind("sees").length === 1, "it sees");
  const names = own.ofKind("resource").map(({ name, fields }) => `${name} ${fields?.[0]?.is}`);
  expect(names.sort()).toEqual(['entry-0 "grpc"', 'entry-2 "tcp"']);
  const [blind] = own.ofKind("blind");
  const [sees] = own.ofKind("sees");
  expect(sees?.since).toBe(blind?.since);
  expect(sees?.seconds).toBeGreaterThan(0);
  await own.end();
  expect(own.ofKind("blind")).toHaveLength(1);
});

test("a service that cannot be reached at a poll is reported once, and not for each resource", async () => {
  // Retries take time, and are not under test.
  const settings = JSON.parse(configuration.get("quarterdeck:secrets") ?? "{}");
  const own = begun({
    only: ({ type }) => type.startsWith("secrets:"),
    configuration: new Map([
      ...configuration,
      ["quarterdeck:secrets", JSON.stringify({ ...settings, maxRetries: 0 })],
    ]),
  });
  await own.until(() => own.ofKind("began").length === 1, "it begins");
  await KINDS.role?.(0, 1);
  const fault = (role: string, kind: object) =>
    stack.stub.fault({
      match: { service: "secrets", method: "GET", path: `/v1/rabbitmq/roles/${role}` },
      times: "always",
      ...kind,
    } as never);
  await fault("role-1", { kind: "lostRequest" });
  // A read that takes longer than the interval is still awaited.
  await fault("role-0", { kind: "delay", milliseconds: 1500 });
  await own.until(() => own.ofKind("blind").length === 1, "it is blind");
  await stack.stub.clearFaults();
  await own.until(() => own.ofKind("sees").length === 1, "it sees");
  expect(own.ofKind("resource").map(({ name, verdict }) => `${name} ${verdict}`)).toEqual(["role-0 drifted"]);
  expect(await own.end()).toMatchObject({ event: "ended", counts: { unreadable: 0, drifted: 1 } });
  expect(own.ofKind("blind")).toHaveLength(1);
});

test("an expired token is reported for its list and for each of its resources", async () => {
  const own = begun();
  await own.until(() => own.ofKind("began").length === 1, "it begins");
  await stack.stub.fault({
    match: { service: "scheduler", method: "GET" },
    kind: "status",
    status: 403,
    times: "always",
  } as never);
  await KINDS.job?.(0, 1);
  await own.until(() => own.ofKind("polling").length === 1, "it polls");
  expect(own.ofKind("polling")[0]).toMatchObject({
    service: "scheduler",
    why: expect.stringContaining("403"),
  });
  const refused = () => own.ofKind("resource").filter(({ verdict }) => verdict === "unreadable");
  await own.until(() => refused().length === EACH, "each is unreadable");
  expect(refused()[0]?.why).toContain("403");
  expect(await own.end()).toMatchObject({ event: "ended", counts: { unreadable: EACH } });
});

test("an ignored resource is not reported as drifted, and only selected resources are watched", async () => {
  const own = begun({
    only: ({ type }) => type.startsWith("mesh:"),
    passing: (report) => ({
      ...report,
      resources: report.resources.map((each) =>
        each.name === "entry-0" ? { ...each, verdict: "ignored" as const } : each,
      ),
    }),
  });
  await own.until(() => own.ofKind("began").length === 1, "it begins");
  await KINDS.entry?.(0, 1);
  await KINDS.job?.(0, 1);
  await KINDS.entry?.(1, 1);
  await own.until(() => own.ofKind("resource").some(({ name }) => name === "entry-1"), "the entry");
  await own.end();
  const words = own.ofKind("resource").map(({ name, verdict }) => `${name} ${verdict}`);
  expect(words).toContain("entry-1 drifted");
  expect(words).not.toContain("entry-0 drifted");
  expect(words.filter((word) => word.startsWith("job"))).toEqual([]);
});

test("a watch sends no write, and ends on request before and after it has begun", async () => {
  await stack.stub.clearRequests();
  const own = begun();
  expect(await own.end()).toMatchObject({ event: "ended" });
  const other = begun();
  await other.until(() => other.ofKind("began").length === 1, "it begins");
  await other.end();
  expect(await stack.writes()).toEqual([]);
});
