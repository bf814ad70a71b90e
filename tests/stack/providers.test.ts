import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "../../sdk";
import { type Stub, startStub } from "../../testing/stub";
import { natureOf } from "../faults/wire";
import { consoleOn } from "./console";
import { TestStack } from "./stack";

// Complete engine commands, on any machine.
jest.setTimeout(240_000);

const REGIONS = ["eu", "us"] as const;
type Region = (typeof REGIONS)[number];

let stack: TestStack;
let us: Stub;
let stubs: Readonly<Record<Region, Stub>>;

beforeEach(async () => {
  stack = await TestStack.open({}, { hasOwnProcesses: true });
  await stack.setBridge("plugin");
  us = await startStub();
  stubs = { eu: stack.stub, us };
  for (const region of REGIONS) for (const version of [1, 2, 3]) await know(region, version, true);
});
afterEach(async () => {
  await us.stop();
  await stack.close();
});

const tokenOf = (region: Region, version: number) => `token-of-${region}-${version}`;

/** Adds a token to both servers of a region, or removes its permissions. */
async function know(region: Region, version: number, management: boolean): Promise<void> {
  const seed = { tokens: { [tokenOf(region, version)]: { management } } };
  await stubs[region].seed("scheduler", seed);
  await stubs[region].seed("mesh", seed);
}

type Versions = Readonly<Record<Region, number>>;
const FIRST: Versions = { eu: 1, us: 1 };

function provider(region: Region, version: number): quarterdeck.Provider {
  const { scheduler, mesh } = stubs[region].addresses;
  const token = pulumi.secret(tokenOf(region, version));
  return new quarterdeck.Provider(region, {
    scheduler: { address: scheduler, token },
    mesh: { address: mesh, token },
  });
}

const groups = [{ name: "front", tasks: [{ name: "server", driver: "docker" }] }];

/** Objects of the same names in both regions, with different values. */
function program(versions: Versions, priority: Versions = { eu: 50, us: 60 }): pulumi.automation.PulumiFn {
  return async () => {
    const found = REGIONS.map((region) => {
      const options = { provider: provider(region, versions[region]) };
      const job = new quarterdeck.scheduler.Job(
        `${region}-web`,
        { spec: { id: "web", priority: priority[region], taskGroups: groups }, purge: true },
        options,
      );
      new quarterdeck.mesh.ServiceDefaults(
        `${region}-web`,
        { name: "web", spec: { protocol: region === "eu" ? "http" : "grpc" } },
        options,
      );
      const read = quarterdeck.scheduler.getJobOutput({ jobId: "web" }, { ...options, dependsOn: job });
      return [region, read.apply(({ job: { Priority } = {} }) => Priority)];
    });
    return Object.fromEntries(found);
  };
}

/** The values on the servers of each region. */
async function held(): Promise<unknown> {
  const all = REGIONS.map(async (region) => {
    const ask = consoleOn(stubs[region]);
    const job = await ask("scheduler", "GET", "/v1/job/web");
    const entry = await ask("mesh", "GET", "/v1/config/service-defaults/web");
    return [region, job.status === 404 ? undefined : [job.body.Priority, entry.body.Protocol]];
  });
  return Object.fromEntries(await Promise.all(all));
}

async function writesIn(region: Region): Promise<number> {
  const requests = await stubs[region].requests();
  return requests.filter(({ method, path }) => !natureOf(method, path).isRead).length;
}

async function clearRequests(): Promise<void> {
  for (const region of REGIONS) await stubs[region].clearRequests();
}

test("two explicit providers serve resources and functions of the same names in two regions, with own tokens", async () => {
  expect(await stack.preview(program(FIRST))).toMatchObject({ failure: undefined, changes: { create: 7 } });
  expect([await writesIn("eu"), await writesIn("us")]).toEqual([0, 0]);
  const made = await stack.up();
  expect(made).toMatchObject({ failure: undefined, outputs: { eu: 50, us: 60 } });
  expect(await held()).toEqual({ eu: [50, "http"], us: [60, "grpc"] });
  expect(await stack.preview()).toMatchObject({ changes: { same: 7 } });

  await clearRequests();
  const edited = await stack.up(program(FIRST, { eu: 50, us: 70 }));
  expect(edited).toMatchObject({ changes: { same: 6, update: 1 }, outputs: { eu: 50, us: 70 } });
  expect([await writesIn("eu"), await writesIn("us")]).toEqual([0, 1]);

  await clearRequests();
  await know("eu", 1, false);
  const rotated = program({ eu: 2, us: 1 }, { eu: 50, us: 70 });
  expect(await stack.preview(rotated)).toMatchObject({ failure: undefined, changes: { same: 6, update: 1 } });
  expect(await stack.up()).toMatchObject({ failure: undefined, changes: { same: 6, update: 1 } });
  expect([await writesIn("eu"), await writesIn("us")]).toEqual([0, 0]);
  expect(await stack.preview()).toMatchObject({ changes: { same: 7 } });
  for (const region of REGIONS)
    for (const version of [1, 2]) {
      expect(stack.state()).not.toContain(tokenOf(region, version));
      expect(stack.printed).not.toContain(tokenOf(region, version));
    }
});

test("refresh and destroy without the program use the providers in the state, not the environment", async () => {
  expect(await stack.up(program(FIRST))).toMatchObject({ failure: undefined });
  const { envVars } = stack.stack.workspace;
  // The environment is set for one region; the stack has objects in both.
  Object.assign(envVars, {
    QUARTERDECK_SCHEDULER_ADDRESS: stubs.eu.addresses.scheduler,
    QUARTERDECK_SCHEDULER_TOKEN: tokenOf("eu", 2),
    QUARTERDECK_MESH_ADDRESS: stubs.eu.addresses.mesh,
    QUARTERDECK_MESH_TOKEN: tokenOf("eu", 2),
  });
  await know("eu", 1, false);
  expect(await stack.refresh()).toMatchObject({ failure: undefined, changes: { same: 7 } });
  await clearRequests();
  expect(await stack.destroy()).toMatchObject({ failure: undefined, changes: { delete: 7 } });
  expect(await held()).toEqual({ eu: undefined, us: undefined });
  expect([await writesIn("eu"), await writesIn("us")]).toEqual([2, 2]);
});

test("a preview succeeds while a setting of an explicit provider is unknown", async () => {
  const late = async () => {
    const eu = { provider: provider("eu", 1) };
    const entry = new quarterdeck.mesh.ServiceDefaults(
      "address",
      { name: "us", spec: { protocol: "http" } },
      eu,
    );
    const address = entry.modifyIndex.apply(() => us.addresses.scheduler);
    const options = {
      provider: new quarterdeck.Provider("us", { scheduler: { address, token: tokenOf("us", 1) } }),
    };
    const job = new quarterdeck.scheduler.Job("web", { spec: { id: "web", taskGroups: groups } }, options);
    const read = quarterdeck.scheduler.getJobOutput({ jobId: "web" }, { ...options, dependsOn: job });
    return { priority: read.apply(({ job: { Priority } = {} }) => Priority) };
  };
  expect(await stack.preview(late)).toMatchObject({ failure: undefined, changes: { create: 5 } });
  expect(await stack.up()).toMatchObject({ failure: undefined, outputs: { priority: 50 } });
  expect(await stack.preview()).toMatchObject({ failure: undefined, changes: { same: 5 } });
  expect(await stack.destroy()).toMatchObject({ failure: undefined });
});
