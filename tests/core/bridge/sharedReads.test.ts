import { handler } from "../../../provider/index";
import { type Stub, startStub, TEST_TOKENS } from "../../../testing/stub";
import type { State } from "./plugin/calls";
import { type AttachedEngine, attachedEngine } from "./plugin/client";

const URN = "urn:pulumi:dev::platform::quarterdeck:mesh:ConfigEntry::web";
const numbers = Array.from({ length: 6 }, (_, n) => n);
const program = (n: number) => ({ kind: "service-defaults", name: `web-${n}`, spec: { Protocol: "http" } });

let stub: Stub;
let settings: Readonly<Record<string, { address: string; token: string; organization?: string }>>;
beforeEach(async () => {
  stub = await startStub();
  settings = {
    mesh: { address: stub.addresses.mesh, token: TEST_TOKENS.mesh },
    workspaces: {
      address: stub.addresses.workspaces,
      token: TEST_TOKENS.workspaces,
      organization: "acme",
    },
  };
});
afterEach(() => stub.stop());

/** The last path segments of the requests that the reads send, one read after the other. */
async function requestsOf(reads: readonly (() => Promise<unknown>)[]): Promise<string[]> {
  await stub.clearRequests();
  for (const read of reads) await read();
  const last = (await stub.requests()).map(({ path }) => path.split("/").at(-1) ?? "");
  // The connection requests the agent's datacenter once.
  return last.filter((name) => name !== "self");
}

const LIST = "/api/v2/organizations/acme/workspaces";
const ONE_READ_THEN_LIST = ["web-0", "service-defaults"];

describe("shared reads of the dynamic bridge", () => {
  const handlerOf = (token: string) => {
    const own = handler(token);
    own.configure({
      config: { get: (key) => JSON.stringify(settings[key.replace("quarterdeck:", "")]) },
    });
    return own;
  };

  test("the refreshes of one process share one list request, also across handlers, until a write", async () => {
    const [one, another] = [handlerOf("mesh:ConfigEntry"), handlerOf("mesh:ConfigEntry")];
    const entries: { id: string; props: Readonly<Record<string, unknown>> }[] = [];
    for (const n of numbers) {
      const { id, outs } = await one.create(program(n));
      entries.push({ id, props: inPlain(outs) });
    }
    const reads = entries.map(
      ({ id, props }, n) =>
        () =>
          (n % 2 === 0 ? one : another).read(id, props),
    );
    expect(await requestsOf(reads)).toEqual(ONE_READ_THEN_LIST);
    await another.create(program(7));
    expect(await requestsOf(reads)).toEqual(ONE_READ_THEN_LIST);
  });

  test("reads by ID alone (import) send one request each", async () => {
    const own = handlerOf("mesh:ConfigEntry");
    for (const n of numbers) await own.create(program(n));
    const reads = numbers.map((n) => () => own.read(`service-defaults/web-${n}`, {}));
    expect(await requestsOf(reads)).toEqual(numbers.map((n) => `web-${n}`));
  });

  test("refreshes 20 workspaces under a rate limit without an error if the list request is forbidden", async () => {
    const own = handlerOf("workspaces:Workspace");
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, n) => own.create({ name: `app-${n}`, description: "" })),
    );
    await stub.fault({
      kind: "status",
      match: { service: "workspaces", path: LIST },
      times: "always",
      status: 403,
    });
    await stub.configure("workspaces", { rateLimit: { limit: 8, windowMilliseconds: 30 } });
    const found = await Promise.all(made.map(({ id, outs }) => own.read(id, inPlain(outs))));
    expect(found.map(({ id }) => id)).toEqual(made.map(({ id }) => id));
    expect((await stub.requests({ path: LIST })).filter(({ method }) => method === "GET")).toHaveLength(1);
  });
});

describe("shared reads of the plugin", () => {
  let engine: AttachedEngine;
  beforeEach(async () => {
    engine = await attachedEngine(settings);
  });
  afterEach(() => engine.stop());

  async function createEntry(n: number): Promise<{ id: string; state: State }> {
    const { inputs } = await engine.calls.check(URN, {}, program(n));
    const { id, outputs } = await engine.calls.create(URN, inputs);
    return { id, state: { inputs, outputs } };
  }

  test("refreshes share one list request until a write or a new configuration", async () => {
    const entries: { id: string; state: State }[] = [];
    for (const n of numbers) entries.push(await createEntry(n));
    const reads = entries.map(
      ({ id, state }) =>
        () =>
          engine.calls.read(URN, id, state),
    );
    expect(await requestsOf(reads)).toEqual(ONE_READ_THEN_LIST);
    expect(await requestsOf(reads)).toEqual([]);
    await createEntry(7);
    expect(await requestsOf(reads)).toEqual(ONE_READ_THEN_LIST);
    await engine.calls.configure(settings);
    expect(await requestsOf(reads)).toEqual(ONE_READ_THEN_LIST);
  });

  test("reads by ID alone (import) send one request each", async () => {
    const entries: { id: string }[] = [];
    for (const n of numbers) entries.push(await createEntry(n));
    const reads = entries.map(
      ({ id }) =>
        () =>
          engine.calls.read(URN, id),
    );
    expect(await requestsOf(reads)).toEqual(numbers.map((n) => `web-${n}`));
  });
});

/** Values as the host passes them back: without the engine's secret marks. */
function inPlain(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(values, (_, value) => value?.value ?? value));
}
