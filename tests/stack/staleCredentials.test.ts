import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "../../sdk";
import { IN_STACKS } from "../bridge";
import { TOKENS } from "./console";
import { TestStack } from "./stack";

// Whole commands of an engine, on whatever machine.
jest.setTimeout(240_000);

let stack: TestStack;

afterEach(() => stack.close());

/** Has the services know a token, or let it do nothing from now on. */
async function know(token: string, management: boolean): Promise<void> {
  for (const service of ["scheduler", "mesh"] as const)
    await stack.stub.seed(service, { tokens: { [token]: { management } } });
}

const spec = { id: "web", taskGroups: [{ name: "front", tasks: [{ name: "server", driver: "docker" }] }] };

function resources(options: pulumi.CustomResourceOptions): void {
  new quarterdeck.scheduler.Job("web", { spec, purge: true }, options);
  new quarterdeck.mesh.ServiceDefaults("web", { name: "web", spec: { protocol: "http" } }, options);
}

/** Where the token of a stack is said: in its configuration, or by an explicit provider of its program. */
interface Saying {
  readonly bridge: "dynamic" | "plugin";
  readonly kept: number;
  /** Has the program say this token from now on. */
  say(token: string): Promise<pulumi.automation.PulumiFn>;
}

const byConfiguration = (bridge: Saying["bridge"]): Saying => ({
  bridge,
  kept: 3,
  say: async (token) => {
    for (const service of ["scheduler", "mesh"] as const) {
      const value = JSON.stringify({ address: stack.stub.addresses[service], token });
      await stack.stack.setConfig(`quarterdeck:${service}`, { value, secret: true });
    }
    return async () => resources({});
  },
});

const byProvider: Saying = {
  bridge: "plugin",
  kept: 4,
  say: async (token) => async () => {
    const { scheduler, mesh } = stack.stub.addresses;
    const provider = new quarterdeck.Provider("own", {
      scheduler: { address: scheduler, token: pulumi.secret(token) },
      mesh: { address: mesh, token: pulumi.secret(token) },
    });
    resources({ provider });
  },
};

const sayings: readonly (readonly [string, Saying])[] = [
  ["the configuration, dynamic bridge", byConfiguration("dynamic")],
  ["the configuration, plugin", byConfiguration("plugin")],
  ["an explicit provider", byProvider],
];

const [OLD, NEW] = ["token-of-then-1", "token-of-now-2"];
const ENVIRONMENT = { QUARTERDECK_SCHEDULER_TOKEN: NEW, QUARTERDECK_MESH_TOKEN: NEW };

/** Makes everything with the old token, which is then let do nothing any more. */
async function rotated({ bridge, say }: Saying): Promise<pulumi.automation.PulumiFn> {
  stack = await TestStack.open({}, { hasOwnProcesses: true });
  await stack.setBridge(bridge);
  await know(OLD, true);
  await know(NEW, true);
  expect(await stack.up(await say(OLD))).toMatchObject({ failure: undefined });
  await know(OLD, false);
  return say(NEW);
}

async function withEnvironment<T>(run: () => Promise<T>): Promise<T> {
  const { envVars } = stack.stack.workspace;
  Object.assign(envVars, ENVIRONMENT);
  try {
    return await run();
  } finally {
    for (const name of Object.keys(ENVIRONMENT)) delete envVars[name];
  }
}

/** What a person reads of a refusal of the token that the state holds. */
function expectFix(output: string): void {
  expect(output).toContain("The token is the one that the state holds from the last pulumi up");
  expect(output).toMatch(/give one of now in QUARTERDECK_(SCHEDULER|MESH)_TOKEN/);
  expect(output).toContain("pulumi up without --refresh, or by --run-program");
  for (const token of [OLD, NEW, TOKENS.scheduler]) expect(output).not.toContain(token);
}

/** In a run of the tests one way; all of them in a run of stacks. */
const ways = IN_STACKS ? sayings : sayings.slice(1, 2);

describe.each(ways)("a token said by %s, and rotated", (_, saying) => {
  test("is refused to a refresh, a destroy and an up --refresh that the state alone tells it, with what to run; and a plain up mends all", async () => {
    const program = await rotated(saying);
    for (const run of [
      () => stack.refresh(),
      () => stack.destroy(),
      () => stack.up(program, { refresh: true }),
    ]) {
      const { failure, output } = await run();
      expect(failure).toBeDefined();
      expectFix(output);
    }
    expect(await stack.up(program)).toMatchObject({ failure: undefined });
    expect(await stack.refresh()).toMatchObject({ failure: undefined, changes: { same: saying.kept } });
    expect(await stack.destroy()).toMatchObject({ failure: undefined, changes: { delete: saying.kept } });
  });

  test("goes behind the environment of a refresh, an up --refresh and a destroy", async () => {
    const program = await rotated(saying);
    await withEnvironment(async () => {
      expect(await stack.refresh()).toMatchObject({ failure: undefined });
      expect(await stack.up(program, { refresh: true })).toMatchObject({ failure: undefined });
      expect(await stack.destroy()).toMatchObject({ failure: undefined });
    });
    expect(stack.printed).not.toContain(NEW);
  });
});

describe.each(IN_STACKS ? (["dynamic", "plugin"] as const) : (["dynamic"] as const))(
  "on the %s bridge, a token that is kept elsewhere",
  (bridge) => {
    /** Makes everything with the old token, which comes from there; then only the new one is good. */
    async function kept(settings: object, keep: (token: string) => void): Promise<void> {
      stack = await TestStack.open({}, { hasOwnProcesses: true });
      await stack.setBridge(bridge);
      await know(OLD, true);
      await know(NEW, true);
      for (const service of ["scheduler", "mesh"] as const) {
        const value = JSON.stringify({ address: stack.stub.addresses[service], ...settings });
        await stack.stack.setConfig(`quarterdeck:${service}`, { value, secret: true });
      }
      keep(OLD);
      expect(await stack.up(async () => resources({}))).toMatchObject({ failure: undefined });
      await know(OLD, false);
      keep(NEW);
    }

    /** Every command with the new token, and no trace of either in what a state holds, decrypted. */
    async function expectFresh(): Promise<void> {
      expect(await stack.refresh()).toMatchObject({ failure: undefined, changes: { same: 3 } });
      expect(await stack.up(undefined, { refresh: true })).toMatchObject({ failure: undefined });
      const state = JSON.stringify((await stack.stack.exportStack()).deployment);
      expect(state).toContain("quarterdeck");
      for (const token of [OLD, NEW]) expect(state + stack.printed).not.toContain(token);
      expect(await stack.destroy()).toMatchObject({ failure: undefined, changes: { delete: 3 } });
    }

    test("in the environment, is never stored: every command takes the one that is there", async () => {
      await kept({}, (token) => {
        const names = ["QUARTERDECK_SCHEDULER_TOKEN", "QUARTERDECK_MESH_TOKEN"];
        Object.assign(stack.stack.workspace.envVars, Object.fromEntries(names.map((name) => [name, token])));
      });
      await expectFresh();
    });

    test("in a file, is never stored: every command reads it", async () => {
      const folder = mkdtempSync(join(tmpdir(), "quarterdeck-token-"));
      try {
        const tokenFile = join(folder, "token");
        await kept({ tokenFile }, (token) => writeFileSync(tokenFile, token));
        await expectFresh();
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  },
);
