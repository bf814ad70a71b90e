import fc from "fast-check";
import { type DriftReport, drift, type ResourceReport } from "../../cli/drift";
import { UnreadableState } from "../../cli/state/deployment";
import { rounds } from "../rounds";
import { type Ask, consoleOn } from "../stack/console";
import type { TestStack } from "../stack/stack";
import { wholeStories } from "../stack/states/programs";
import { closeWithServices, stackOf } from "../stack/states/recording";

// Complete engine commands, on any machine.
jest.setTimeout(240_000);

let stack: TestStack | undefined;
afterEach(async () => {
  if (stack) await closeWithServices(stack);
  stack = undefined;
});

async function stateOf({ stack: own }: TestStack): Promise<string> {
  return JSON.stringify(await own.exportStack());
}

/** The drift report of a stack, with the stack's configuration. */
async function driftOf(own: TestStack, state?: string): Promise<DriftReport> {
  const configuration = new Map(
    Object.entries(await own.stack.getAllConfig()).map(([key, { value }]) => [key, value]),
  );
  return drift({ state: state ?? (await stateOf(own)), configuration, env: {} });
}

/** Changes outside the stack to objects of a story, by type and name of the resource. */
const EDITS: Readonly<Record<string, (ask: Ask) => Promise<unknown>>> = {
  "secrets:QueueRole found": (ask) =>
    ask("secrets", "POST", "/v1/rabbitmq/roles/found", { tags: "policymaker" }),
  "secrets:QueueRole named": (ask) => ask("secrets", "DELETE", "/v1/rabbitmq/roles/named"),
  "secrets:QueueRole secret": (ask) =>
    ask("secrets", "POST", "/v1/rabbitmq/roles/secret", { tags: "canary-theirs" }),
  "secrets:LibrarySet set": (ask) => ask("secrets", "POST", "/v1/ldap/library/ops", { ttl: "2h" }),
  "mesh:ServiceDefaults api": (ask) =>
    ask("mesh", "PUT", "/v1/config", { Kind: "service-defaults", Name: "api", Protocol: "grpc" }),
  "mesh:ConfigEntry entry": (ask) => ask("mesh", "DELETE", "/v1/config/service-defaults/entry"),
  "mesh:ServiceDefaults secret": (ask) =>
    ask("mesh", "PUT", "/v1/config", {
      Kind: "service-defaults",
      Name: "secret",
      Meta: { key: "canary-theirs" },
    }),
  "scheduler:Job object": async (ask) => {
    const { body } = await ask("scheduler", "GET", "/v1/job/object");
    await ask("scheduler", "POST", "/v1/jobs", { Job: { ...body, Priority: 77 } });
  },
  "scheduler:Job json": async (ask) => {
    // Adds metadata to a job whose program has none.
    const { body } = await ask("scheduler", "GET", "/v1/job/json");
    await ask("scheduler", "POST", "/v1/jobs", { Job: { ...body, Meta: { moved: "on" } } });
  },
  "scheduler:Job named": (ask) => ask("scheduler", "DELETE", "/v1/job/named?purge=true"),
  "workspaces:Workspace shop": async (ask) => {
    const { body } = await ask("workspaces", "GET", "/api/v2/organizations/acme/workspaces/shop");
    const data = { type: "workspaces", attributes: { description: "canary-theirs" } };
    await ask("workspaces", "PATCH", `/api/v2/workspaces/${body.data.id}`, { data });
  },
  "workspaces:Workspace found": async (ask) => {
    const { body } = await ask("workspaces", "GET", "/api/v2/organizations/acme/workspaces/found");
    await ask("workspaces", "DELETE", `/api/v2/workspaces/${body.data.id}`);
  },
};

const called = ({ type, name }: Pick<ResourceReport, "type" | "name">) => `${type} ${name}`;

/** The result of a refresh for each resource, from the engine's events. */
function refreshedIn(events: string): ReadonlyMap<string, ResourceReport["verdict"]> {
  const verdicts = { same: "in sync", update: "drifted", delete: "missing" } as const;
  const all = events.matchAll(
    /"resOutputsEvent":\{"metadata":(\{"op":"(same|update|delete)","urn":"([^"]+)")/g,
  );
  return new Map([...all].map(([, , op, urn]) => [urn ?? "", verdicts[op as keyof typeof verdicts]]));
}

describe.each(Object.keys(wholeStories()))("a stack of %s", (name) => {
  test.each(["dynamic", "plugin"] as const)(
    "on the %s bridge is in sync, and after changes drift reports the same as a refresh",
    async (bridge) => {
      stack = await stackOf(name);
      const own = stack;
      if (bridge === "plugin") {
        await own.setBridge("plugin");
        expect((await own.up(wholeStories()[name]?.())).failure).toBeUndefined();
      }
      await own.stub.clearRequests();
      const unchanged = await driftOf(own);
      expect(unchanged.resources.filter(({ verdict }) => verdict !== "in sync")).toEqual([]);
      expect(unchanged.resources.length).toBeGreaterThan(15);
      expect(unchanged.stack).toBe("dev");
      expect(await own.writes()).toEqual([]);
      expect(unchanged.requests).toBe((await own.stub.requests()).length);

      const editable = unchanged.resources.map(called).filter((key) => EDITS[key] !== undefined);
      expect(editable.length).toBeGreaterThan(4);
      const ask = consoleOn(own.stub);
      const sample = fc.sample(fc.subarray(editable, { minLength: 2 }), { numRuns: rounds(6, 2) });
      for (const keys of sample) {
        for (const key of keys) await EDITS[key]?.(ask).catch(() => undefined);
        const report = await driftOf(own);
        expect(JSON.stringify(report)).not.toContain("canary");
        const from = own.printed.length;
        expect((await own.refresh()).failure).toBeUndefined();
        const found = refreshedIn(own.printed.slice(from));
        for (const each of report.resources)
          expect([called(each), each.verdict]).toEqual([called(each), found.get(each.urn)]);
        expect((await driftOf(own)).counts).toMatchObject({ drifted: 0, missing: 0, unreadable: 0 });
      }
    },
  );
});

test("drift reports changes field by field, and marks the fields of ignoreChanges", async () => {
  stack = await stackOf("workspaces-scheduler");
  const ask = consoleOn(stack.stub);
  await EDITS["scheduler:Job object"]?.(ask);
  const state = await stateOf(stack);
  const find = ({ resources }: DriftReport) =>
    resources.find((one) => called(one) === "scheduler:Job object");
  const changed = find(await driftOf(stack, state));
  expect(changed).toMatchObject({ verdict: "drifted", settings: "the stack's configuration" });
  expect(changed?.fields).toContainEqual({ field: "json.Priority", was: expect.any(String), is: "77" });

  const parsed = JSON.parse(state);
  for (const resource of parsed.deployment.resources)
    if (resource.urn === changed?.urn) resource.ignoreChanges = ["json.Priority"];
  const ignoring = find(await driftOf(stack, JSON.stringify(parsed)));
  expect(ignoring?.fields).toContainEqual(
    expect.objectContaining({ field: "json.Priority", ignored: "program" }),
  );
});

test("drift reports an unreadable resource with the reason, and still compares the others", async () => {
  stack = await stackOf("secrets-mesh");
  await stack.stub.fault({
    match: { service: "mesh", method: "GET" },
    kind: "status",
    status: 403,
    times: "always",
  } as never);
  const report = await driftOf(stack);
  const unreadable = report.resources.filter(({ verdict }) => verdict === "unreadable");
  expect(new Set(unreadable.map(({ type }) => type.split(":")[0]))).toEqual(new Set(["mesh"]));
  expect(unreadable[0]?.why).toMatch(/403/);
  expect(report.counts["in sync"]).toBeGreaterThan(10);
});

test.each([
  ["not JSON", "{", /not valid JSON\.\nExport the state with: pulumi stack export --show-secrets/],
  [
    "not an exported state",
    '{"name":"x"}',
    /not an exported state\.\nCreate an exported state with: pulumi stack export --show-secrets/,
  ],
])("a state file that is %s is rejected with a remedy", async (_, state, message) => {
  await expect(drift({ state })).rejects.toThrow(UnreadableState);
  await expect(drift({ state })).rejects.toThrow(message);
});

test("a state with encrypted secrets is rejected with a remedy", async () => {
  const secret = {
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    ciphertext: "v1:x",
  };
  const urn = "urn:pulumi:dev::platform::quarterdeck:scheduler:Job::web";
  const resources = [
    { urn, type: "quarterdeck:scheduler:Job", id: "default/web", outputs: { json: secret } },
  ];
  const state = JSON.stringify({ version: 3, deployment: { resources } });
  await expect(drift({ state, env: {} })).rejects.toThrow(
    /encrypted\.\nExport the state with: pulumi stack export --show-secrets/,
  );
});
