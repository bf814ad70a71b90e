import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { StackStore } from "../../../engine/backend/store";
import { newSandbox, runCommand, type Sandbox } from "./running";
import { compileWrapper } from "./wrapper";

const dev = { project: "harbour", name: "dev" };

/** A provider that sends a request to the test before each creation, so that the test can block a creation. */
const PROVIDER = `
  exports.handler = () => ({
    async create(inputs) {
      const answer = await fetch(process.env.GATE + "/" + inputs.name + "?" + process.pid);
      return { id: inputs.name, outs: { ...inputs, word: await answer.text() } };
    },
    async delete() {},
  });
`;

const PROGRAM = `
  const pulumi = require("@pulumi/pulumi");
  class Berth extends pulumi.CustomResource {
    constructor(name, options) {
      const __provider = "exports.handler = () => require(process.cwd() + '/provider.cjs').handler()";
      const properties = { name, secret: pulumi.secret("hidden-" + name), word: undefined, __provider };
      super("pulumi-nodejs:dynamic/harbour:Berth", name, properties, options);
    }
  }
  let before;
  for (const name of ["a", "b", "c"]) before = new Berth(name, { dependsOn: before });
`;

/** Answers the requests of the provider, except those for the blocked resource. */
async function openGate(blocked: string) {
  const waiting: ServerResponse[] = [];
  const asked: string[] = [];
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    const [name = "", pid] = request.url?.slice(1).split("?") ?? [];
    hosts.add(Number(pid));
    asked.push(name);
    if (name !== blocked) {
      response.end(`made ${name}`);
      return;
    }
    waiting.push(response);
    resolve();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    reached,
    /** Answers the blocked requests. */
    answer: () => {
      for (const response of waiting.splice(0)) response.end(`made ${blocked}`);
    },
    close: () => {
      for (const response of waiting) response.destroy();
      server.closeAllConnections();
      server.close();
    },
  };
}

let wrapper: ReturnType<typeof compileWrapper>;
beforeAll(() => {
  wrapper = compileWrapper();
});
afterAll(() => wrapper.remove());

const started: ChildProcess[] = [];
/** Process IDs of the provider hosts. They are in separate process groups, so they survive a killed engine. */
const hosts = new Set<number>();

afterEach(() => {
  for (const pid of [...started.splice(0).map((child) => child.pid), ...hosts]) {
    try {
      if (pid) process.kill(-pid, "SIGKILL");
    } catch {
      // The process and its children no longer exist.
    }
  }
  hosts.clear();
});

/** Starts the engine in a separate process group. */
function start(sandbox: Sandbox, words: string, gate: string): ChildProcess {
  const child = spawn(process.execPath, [wrapper.bin, ...words.split(" ")], {
    cwd: sandbox.project,
    detached: true,
    stdio: "ignore",
    env: { ...process.env, ...sandbox.environment, GATE: gate },
  });
  started.push(child);
  return child;
}

/** Kills the engine with SIGKILL. */
async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, "exit");
  if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  await exited;
}

async function sandboxWithKilledUpdate(): Promise<Sandbox> {
  const sandbox = newSandbox();
  writeFileSync(join(sandbox.project, "provider.cjs"), PROVIDER);
  writeFileSync(join(sandbox.project, "program.cjs"), PROGRAM);
  await runCommand(sandbox, "stack init dev");
  const gate = await openGate("b");
  try {
    const child = start(sandbox, "up --yes --skip-preview --stack dev", gate.url);
    await gate.reached;
    await kill(child);
  } finally {
    gate.close();
  }
  return sandbox;
}

const namesIn = (resources: readonly { readonly urn?: unknown }[] = []) =>
  resources.map(({ urn }) => String(urn).split("::").at(-1));

test("a killed update keeps its completed steps, and stores the creation that it had begun as pending", async () => {
  const sandbox = await sandboxWithKilledUpdate();
  const exported = await runCommand(sandbox, "stack export --show-secrets --stack dev");
  const { deployment } = JSON.parse(exported.stdout);
  expect(namesIn(deployment.resources)).toEqual(["harbour-dev", "default", "a"]);
  expect(deployment.resources[2].outputs).toMatchObject({
    word: "made a",
    secret: { plaintext: '"hidden-a"' },
  });
  expect(deployment.pending_operations).toMatchObject([
    { type: "creating", resource: { inputs: { name: "b" } } },
  ]);
  expect(readFileSync(new StackStore(sandbox.state).paths(dev).journal, "utf8")).not.toContain("hidden-");
}, 60_000);

test("a killed update stays locked until `pulumi cancel`, which writes its steps into the checkpoint", async () => {
  const sandbox = await sandboxWithKilledUpdate();
  const store = new StackStore(sandbox.state);
  const refused = await runCommand(sandbox, "up --yes --skip-preview --stack dev");
  expect(refused.stderr).toContain("the stack is currently locked by 1 lock(s)");
  expect((await runCommand(sandbox, "cancel --yes --stack dev")).code).toBe(0);
  expect(existsSync(store.paths(dev).journal)).toBe(false);
  const { checkpoint } = JSON.parse(store.checkpointText(dev));
  expect(namesIn(checkpoint.latest.resources)).toEqual(["harbour-dev", "default", "a"]);
}, 60_000);

test("the update after a killed update creates only the missing resources", async () => {
  const sandbox = await sandboxWithKilledUpdate();
  await runCommand(sandbox, "cancel --yes --stack dev");
  const gate = await openGate("nothing");
  try {
    const environment = { GATE: gate.url };
    const words = "refresh --yes --skip-preview --clear-pending-creates --stack dev";
    expect((await runCommand(sandbox, words, { environment })).code).toBe(0);
    const { code, stdout } = await runCommand(sandbox, "up --yes --skip-preview --stack dev", {
      environment,
    });
    expect([code, stdout]).toEqual([0, expect.stringContaining("+ 2 created")]);
  } finally {
    gate.close();
  }
  expect(gate.asked).toEqual(["b", "c"]);
}, 60_000);

test("SIGINT lets the running step finish, and the engine begins no other step", async () => {
  const sandbox = newSandbox();
  writeFileSync(join(sandbox.project, "provider.cjs"), PROVIDER);
  writeFileSync(join(sandbox.project, "program.cjs"), PROGRAM);
  await runCommand(sandbox, "stack init dev");
  const gate = await openGate("b");
  try {
    const child = start(sandbox, "up --yes --skip-preview --stack dev", gate.url);
    const exited = once(child, "exit");
    await gate.reached;
    child.kill("SIGINT");
    gate.answer();
    expect(await exited).toEqual([1, null]);
  } finally {
    gate.close();
  }
  expect(gate.asked).toEqual(["a", "b"]);
  const { deployment } = JSON.parse((await runCommand(sandbox, "stack export --stack dev")).stdout);
  expect(namesIn(deployment.resources)).toEqual(["harbour-dev", "default", "a", "b"]);
  expect(deployment.pending_operations).toBeUndefined();
  expect((await runCommand(sandbox, "stack ls")).code).toBe(0);
}, 60_000);
