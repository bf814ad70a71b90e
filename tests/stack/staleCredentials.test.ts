import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "../../sdk";
import { IN_STACKS } from "../bridge";
import { TOKENS } from "./console";
import { TestStack } from "./stack";

// Complete engine commands, on any machine.
jest.setTimeout(240_000);

let stack: TestStack;

afterEach(() => stack.close());

/** Adds a token to the servers, or removes its permissions. */
async function know(token: string, management: boolean): Promise<void> {
  for (const service of ["scheduler", "mesh"] as const)
    await stack.stub.seed(service, { tokens: { [token]: { management } } });
}

const spec = { id: "web", taskGroups: [{ name: "front", tasks: [{ name: "server", driver: "docker" }] }] };

function resources(options: pulumi.CustomResourceOptions): void {
  new quarterdeck.scheduler.Job("web", { spec, purge: true }, options);
  new quarterdeck.mesh.ServiceDefaults("web", { name: "web", spec: { protocol: "http" } }, options);
}

/** Where a stack's token is set: in its configuration, or in an explicit provider of its program. */
interface TokenSource {
  readonly bridge: "dynamic" | "plugin";
  readonly resourceCount: number;
  /** Sets this token, and returns the program that uses it. */
  setToken(token: string): Promise<pulumi.automation.PulumiFn>;
}

const byConfiguration = (bridge: TokenSource["bridge"]): TokenSource => ({
  bridge,
  resourceCount: 3,
  setToken: async (token) => {
    for (const service of ["scheduler", "mesh"] as const) {
      const value = JSON.stringify({ address: stack.stub.addresses[service], token });
      await stack.stack.setConfig(`quarterdeck:${service}`, { value, secret: true });
    }
    return async () => resources({});
  },
});

const byProvider: TokenSource = {
  bridge: "plugin",
  resourceCount: 4,
  setToken: async (token) => async () => {
    const { scheduler, mesh } = stack.stub.addresses;
    const provider = new quarterdeck.Provider("own", {
      scheduler: { address: scheduler, token: pulumi.secret(token) },
      mesh: { address: mesh, token: pulumi.secret(token) },
    });
    resources({ provider });
  },
};

const tokenSources: readonly (readonly [string, TokenSource])[] = [
  ["the configuration (dynamic bridge)", byConfiguration("dynamic")],
  ["the configuration (plugin)", byConfiguration("plugin")],
  ["an explicit provider", byProvider],
];

const [OLD, NEW] = ["token-of-then-1", "token-of-now-2"];
const ENVIRONMENT = { QUARTERDECK_SCHEDULER_TOKEN: NEW, QUARTERDECK_MESH_TOKEN: NEW };

/** Creates all resources with the old token, and then removes its permissions. */
async function rotated({ bridge, setToken }: TokenSource): Promise<pulumi.automation.PulumiFn> {
  stack = await TestStack.open({}, { hasOwnProcesses: true });
  await stack.setBridge(bridge);
  await know(OLD, true);
  await know(NEW, true);
  expect(await stack.up(await setToken(OLD))).toMatchObject({ failure: undefined });
  await know(OLD, false);
  return setToken(NEW);
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

/** Expects the remedy for a rejected token that comes from the state. */
function expectFix(output: string): void {
  expect(output).toContain("The last pulumi up stored this token in the state");
  expect(output).toMatch(/[Ss]et a valid token in QUARTERDECK_(SCHEDULER|MESH)_TOKEN/);
  expect(output).toContain("pulumi up without --refresh, or add --run-program");
  for (const token of [OLD, NEW, TOKENS.scheduler]) expect(output).not.toContain(token);
}

/** One source in a run of the tests, and all of them in a run of stacks. */
const testedSources = IN_STACKS ? tokenSources : tokenSources.slice(1, 2);

describe.each(testedSources)("a rotated token from %s", (_, source) => {
  test("makes refresh, destroy and up --refresh fail with a remedy until an up without --refresh stores the new one", async () => {
    const program = await rotated(source);
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
    expect(await stack.refresh()).toMatchObject({
      failure: undefined,
      changes: { same: source.resourceCount },
    });
    expect(await stack.destroy()).toMatchObject({
      failure: undefined,
      changes: { delete: source.resourceCount },
    });
  });

  test("is overridden by the token in the environment for refresh, up --refresh and destroy", async () => {
    const program = await rotated(source);
    await withEnvironment(async () => {
      expect(await stack.refresh()).toMatchObject({ failure: undefined });
      expect(await stack.up(program, { refresh: true })).toMatchObject({ failure: undefined });
      expect(await stack.destroy()).toMatchObject({ failure: undefined });
    });
    expect(stack.printed).not.toContain(NEW);
  });
});

describe.each(IN_STACKS ? (["dynamic", "plugin"] as const) : (["dynamic"] as const))(
  "a token outside the configuration, on the %s bridge",
  (bridge) => {
    /** Creates all resources with the old token from there, and then makes only the new token valid. */
    async function createAndRotate(settings: object, provide: (token: string) => void): Promise<void> {
      stack = await TestStack.open({}, { hasOwnProcesses: true });
      await stack.setBridge(bridge);
      await know(OLD, true);
      await know(NEW, true);
      for (const service of ["scheduler", "mesh"] as const) {
        const value = JSON.stringify({ address: stack.stub.addresses[service], ...settings });
        await stack.stack.setConfig(`quarterdeck:${service}`, { value, secret: true });
      }
      provide(OLD);
      expect(await stack.up(async () => resources({}))).toMatchObject({ failure: undefined });
      await know(OLD, false);
      provide(NEW);
    }

    /** Expects that every command uses the new token, and that the decrypted state contains neither token. */
    async function expectFresh(): Promise<void> {
      expect(await stack.refresh()).toMatchObject({ failure: undefined, changes: { same: 3 } });
      expect(await stack.up(undefined, { refresh: true })).toMatchObject({ failure: undefined });
      const state = JSON.stringify((await stack.stack.exportStack()).deployment);
      expect(state).toContain("quarterdeck");
      for (const token of [OLD, NEW]) expect(state + stack.printed).not.toContain(token);
      expect(await stack.destroy()).toMatchObject({ failure: undefined, changes: { delete: 3 } });
    }

    test("comes from the environment of every command, and is never stored", async () => {
      await createAndRotate({}, (token) => {
        const names = ["QUARTERDECK_SCHEDULER_TOKEN", "QUARTERDECK_MESH_TOKEN"];
        Object.assign(stack.stack.workspace.envVars, Object.fromEntries(names.map((name) => [name, token])));
      });
      await expectFresh();
    });

    test("is read from its file by every command, and is never stored", async () => {
      const folder = mkdtempSync(join(tmpdir(), "quarterdeck-token-"));
      try {
        const tokenFile = join(folder, "token");
        await createAndRotate({ tokenFile }, (token) => writeFileSync(tokenFile, token));
        await expectFresh();
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  },
);
