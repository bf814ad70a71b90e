import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { StackStore } from "../../../engine/backend/store";
import { newPlace, type Place, say } from "./running";
import { compileWrapper } from "./wrapper";

const dev = { project: "harbour", name: "dev" };

/** A provider that asks the test before each creation, and so can be held in the middle of one. */
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

/** Answers the provider, but for what is held. */
async function openGate(held: string) {
  const waiting: ServerResponse[] = [];
  const asked: string[] = [];
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    const [name = "", pid] = request.url?.slice(1).split("?") ?? [];
    hosts.add(Number(pid));
    asked.push(name);
    if (name !== held) {
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
    /** Lets what is held go on. */
    answer: () => {
      for (const response of waiting.splice(0)) response.end(`made ${held}`);
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
/** Hosts of the provider: groups of their own, which outlive an engine that is killed. */
const hosts = new Set<number>();

afterEach(() => {
  for (const pid of [...started.splice(0).map((child) => child.pid), ...hosts]) {
    try {
      if (pid) process.kill(-pid, "SIGKILL");
    } catch {
      // It is gone, and all that it started.
    }
  }
  hosts.clear();
});

/** Starts the engine as a process of its own, at the head of a group. */
function start(place: Place, words: string, gate: string): ChildProcess {
  const child = spawn(process.execPath, [wrapper.bin, ...words.split(" ")], {
    cwd: place.project,
    detached: true,
    stdio: "ignore",
    env: { ...process.env, ...place.environment, GATE: gate },
  });
  started.push(child);
  return child;
}

/** Kills the engine, which gets no word of it. */
async function kill(child: ChildProcess): Promise<void> {
  const gone = once(child, "exit");
  if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  await gone;
}

async function killedInTheMiddle(): Promise<Place> {
  const place = newPlace();
  writeFileSync(join(place.project, "provider.cjs"), PROVIDER);
  writeFileSync(join(place.project, "program.cjs"), PROGRAM);
  await say(place, "stack init dev");
  const gate = await openGate("b");
  try {
    const child = start(place, "up --yes --skip-preview --stack dev", gate.url);
    await gate.reached;
    await kill(child);
  } finally {
    gate.close();
  }
  return place;
}

const namesIn = (resources: readonly { readonly urn?: unknown }[] = []) =>
  resources.map(({ urn }) => String(urn).split("::").at(-1));

test("an update that is killed loses no step, and says which one had begun", async () => {
  const place = await killedInTheMiddle();
  const exported = await say(place, "stack export --show-secrets --stack dev");
  const { deployment } = JSON.parse(exported.stdout);
  expect(namesIn(deployment.resources)).toEqual(["harbour-dev", "default", "a"]);
  expect(deployment.resources[2].outputs).toMatchObject({
    word: "made a",
    secret: { plaintext: '"hidden-a"' },
  });
  expect(deployment.pending_operations).toMatchObject([
    { type: "creating", resource: { inputs: { name: "b" } } },
  ]);
  expect(readFileSync(new StackStore(place.state).paths(dev).journal, "utf8")).not.toContain("hidden-");
}, 60_000);

test("its lock stays until it is cancelled, which also puts its steps where the CLI finds them", async () => {
  const place = await killedInTheMiddle();
  const store = new StackStore(place.state);
  const refused = await say(place, "up --yes --skip-preview --stack dev");
  expect(refused.stderr).toContain("the stack is currently locked by 1 lock(s)");
  expect((await say(place, "cancel --yes --stack dev")).code).toBe(0);
  expect(existsSync(store.paths(dev).journal)).toBe(false);
  const { checkpoint } = JSON.parse(store.checkpointText(dev));
  expect(namesIn(checkpoint.latest.resources)).toEqual(["harbour-dev", "default", "a"]);
}, 60_000);

test("the next update goes on from there and makes nothing twice", async () => {
  const place = await killedInTheMiddle();
  await say(place, "cancel --yes --stack dev");
  const gate = await openGate("nothing");
  try {
    const environment = { GATE: gate.url };
    const words = "refresh --yes --skip-preview --clear-pending-creates --stack dev";
    expect((await say(place, words, { environment })).code).toBe(0);
    const { code, stdout } = await say(place, "up --yes --skip-preview --stack dev", { environment });
    expect([code, stdout]).toEqual([0, expect.stringContaining("+ 2 created")]);
  } finally {
    gate.close();
  }
  expect(gate.asked).toEqual(["b", "c"]);
}, 60_000);

test("an interrupt lets the step that runs come to its end, and begins no other", async () => {
  const place = newPlace();
  writeFileSync(join(place.project, "provider.cjs"), PROVIDER);
  writeFileSync(join(place.project, "program.cjs"), PROGRAM);
  await say(place, "stack init dev");
  const gate = await openGate("b");
  try {
    const child = start(place, "up --yes --skip-preview --stack dev", gate.url);
    const exited = once(child, "exit");
    await gate.reached;
    child.kill("SIGINT");
    gate.answer();
    expect(await exited).toEqual([1, null]);
  } finally {
    gate.close();
  }
  expect(gate.asked).toEqual(["a", "b"]);
  const { deployment } = JSON.parse((await say(place, "stack export --stack dev")).stdout);
  expect(namesIn(deployment.resources)).toEqual(["harbour-dev", "default", "a", "b"]);
  expect(deployment.pending_operations).toBeUndefined();
  expect((await say(place, "stack ls")).code).toBe(0);
}, 60_000);
