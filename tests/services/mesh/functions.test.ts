import { callFunction, iterateFunction } from "../../../provider/core/functions/call";
import type { FunctionDefinition } from "../../../provider/core/functions/define";
import type { Values } from "../../../provider/core/language/object";
import type { Json } from "../../../provider/core/value/json";
import configEntry from "../../../provider/services/mesh/configEntry";
import functions from "../../../provider/services/mesh/functions";
import { defaults, Scene, TOKENS } from "../../../testing/tests/stub/mesh-scene";
import { World } from "../../steps/world";

class Caller {
  readonly scene = new Scene();
  readonly world: World;
  readonly logged: string[] = [];

  constructor(settings: Values = { token: TOKENS.manager }) {
    this.world = new World(this.scene.service, configEntry, settings);
    this.world.clock = this.scene.clock;
  }

  private get caller() {
    const { connection } = this.world;
    return { connection, log: (_: string, message: string) => this.logged.push(message) };
  }

  async call(definition: FunctionDefinition, args: Values): Promise<Values> {
    return (await callFunction(definition, args, this.caller)).result;
  }

  watch(args: Values, signal: AbortSignal) {
    return iterateFunction(functions.watchConfigEntries, args, { ...this.caller, signal });
  }
}

const WEB = { kind: "service-defaults", name: "web" };
const webWithProtocol = (Protocol: string) => defaults("web", { Protocol });
const HTTP = webWithProtocol("http");

describe("getConfigEntry", () => {
  test("returns the entry with its indexes as strings, and the response's index, leader and last contact", async () => {
    const caller = new Caller();
    const { ModifyIndex } = await caller.scene.existing(HTTP);
    expect(await caller.call(functions.getConfigEntry, WEB)).toMatchObject({
      ...WEB,
      spec: { Protocol: "http" },
      modifyIndex: String(ModifyIndex),
      index: String(ModifyIndex),
      knownLeader: true,
      lastContact: 0,
    });
  });

  test("fails with the server's message if the entry does not exist", async () => {
    await expect(new Caller().call(functions.getConfigEntry, WEB)).rejects.toThrow(
      /^GET \/v1\/config\/service-defaults\/web returned 404.*not found/,
    );
  });

  test("waits for a change after the given index, for at most the given wait", async () => {
    const caller = new Caller();
    await caller.scene.existing(HTTP);
    const { index = "" } = await caller.call(functions.getConfigEntry, WEB);
    const waiting = caller.call(functions.getConfigEntry, { ...WEB, index, wait: "5m" });
    await caller.scene.existing(webWithProtocol("grpc"));
    expect(await waiting).toMatchObject({ spec: { Protocol: "grpc" } });
    expect(caller.world.requests.at(-1)).toMatchObject({
      query: { index, wait: "5m" },
      // Consul adds up to a sixteenth to the wait; the client's timeout is longer still.
      timeoutMs: (300_000 * 17) / 16 + 10_000,
    });
  });

  test("sends no index if it is 0", async () => {
    const caller = new Caller();
    await caller.scene.existing(HTTP);
    await caller.call(functions.getConfigEntry, { ...WEB, index: "0" });
    expect(caller.world.requests.at(-1)?.query).toEqual({});
  });

  test.each([
    ["1d", /wait: given "1d": must be a duration/],
    ["5", /wait: given "5": must be a duration/],
    ["soon", /wait: given "soon": must be a duration/],
  ])("rejects a wait of %s without sending a request", async (wait, message) => {
    const caller = new Caller();
    await expect(caller.call(functions.getConfigEntry, { ...WEB, index: "1", wait })).rejects.toThrow(
      message,
    );
    expect(caller.world.requests).toEqual([]);
  });

  test("sends no wait without an index, so that the first call of a loop returns immediately", async () => {
    const caller = new Caller();
    await caller.scene.existing(HTTP);
    await caller.call(functions.getConfigEntry, { ...WEB, wait: "1m" });
    expect(caller.world.requests.at(-1)?.query).toEqual({});
  });

  test.each([
    ["default", []],
    ["consistent", ["consistent"]],
    ["stale", ["stale"]],
  ])("sends the consistency mode %s", async (consistency, parameters) => {
    const caller = new Caller();
    await caller.scene.existing(HTTP);
    await caller.call(functions.getConfigEntry, { ...WEB, consistency });
    expect(Object.keys(caller.world.requests.at(-1)?.query ?? {})).toEqual(parameters);
  });

  test("uses the connection's datacenter and namespace unless the arguments set them", async () => {
    const caller = new Caller({ token: TOKENS.manager, datacenter: "dc2", namespace: "team" });
    await caller.scene.existing(HTTP);
    await expect(caller.call(functions.getConfigEntry, WEB)).rejects.toThrow("returned 404");
    expect(caller.world.requests.at(-1)?.query).toEqual({ dc: "dc2", ns: "team" });
    const own = { ...WEB, datacenter: "dc1", namespace: "default" };
    expect(await caller.call(functions.getConfigEntry, own)).toMatchObject({ spec: { Protocol: "http" } });
  });
});

describe("getConfigEntries", () => {
  const KIND = { kind: "service-defaults" };
  const named = ({ entries }: Values) => (entries as { name: string }[]).map(({ name }) => name);

  test("returns all entries of a kind, or those that match the filter and the limit", async () => {
    const caller = new Caller();
    expect(await caller.call(functions.getConfigEntries, KIND)).toMatchObject({ entries: [] });
    for (const name of ["web", "api"]) await caller.scene.existing({ ...HTTP, Name: name });
    expect(named(await caller.call(functions.getConfigEntries, KIND)).sort()).toEqual(["api", "web"]);
    const filter = 'Name == "api"';
    expect(named(await caller.call(functions.getConfigEntries, { ...KIND, filter }))).toEqual(["api"]);
    expect(named(await caller.call(functions.getConfigEntries, { ...KIND, limit: 1 }))).toHaveLength(1);
  });

  test("adds the name of the mesh entry, which Consul does not return", async () => {
    const caller = new Caller();
    await caller.scene.existing({ Kind: "mesh" });
    expect(named(await caller.call(functions.getConfigEntries, { kind: "mesh" }))).toEqual(["mesh"]);
  });

  test("warns if ACLs filter entries out of the response", async () => {
    const caller = new Caller({ token: TOKENS.stranger });
    await caller.scene.existing(HTTP);
    expect(await caller.call(functions.getConfigEntries, KIND)).toMatchObject({
      entries: [],
      filteredByAcls: true,
    });
    expect(caller.logged.join()).toContain("an entry that is missing here may exist");
  });

  test("marks a result that contains a private key as secret", async () => {
    const caller = new Caller();
    const { connection } = caller.world;
    const certificate = { Kind: "inline-certificate", Name: "tls", Certificate: "c", PrivateKey: "hush" };
    await caller.scene.existing(certificate);
    const log = () => undefined;
    const answer = await callFunction(
      functions.getConfigEntries,
      { kind: "inline-certificate" },
      { connection, log },
    );
    expect(answer.isSecret).toBe(true);
    const plain = await callFunction(functions.getConfigEntries, KIND, { connection, log });
    expect(plain.isSecret).toBe(false);
  });
});

describe("watchConfigEntries", () => {
  test("yields the current entries, then the entries after each change, until it is aborted", async () => {
    const caller = new Caller();
    const stop = new AbortController();
    const seen: Json[] = [];
    const protocols = ["tcp", "http", "grpc", "http2"];
    await caller.scene.existing(webWithProtocol("tcp"));
    for await (const { entries } of caller.watch(
      { kind: "service-defaults" },
      stop.signal,
    ) as AsyncGenerator<{
      entries: { spec: { Protocol: string } }[];
    }>) {
      seen.push(entries[0]?.spec.Protocol ?? "");
      const next = protocols[seen.length];
      if (next === undefined) stop.abort();
      else await caller.scene.existing(webWithProtocol(next));
    }
    expect(seen).toEqual(protocols);
    expect(caller.world.requests.length).toBe(protocols.length);
  });

  test("yields nothing after a write without changes, or at the end of a wait", async () => {
    const caller = new Caller();
    const stop = new AbortController();
    await caller.scene.existing(HTTP);
    const watching = caller.watch({ kind: "service-defaults", wait: "1m" }, stop.signal);
    await watching.next();
    let yielded = 0;
    const next = watching.next().then(() => yielded++);
    await caller.scene.existing(HTTP);
    caller.scene.clock.advance(65_000);
    for (let turn = 0; turn < 50; turn++) await Promise.resolve();
    expect(caller.world.requests.length).toBeGreaterThan(1);
    expect(yielded).toBe(0);
    await caller.scene.existing(webWithProtocol("grpc"));
    await next;
    expect(yielded).toBe(1);
    stop.abort();
    expect((await watching.next()).done).toBe(true);
  });
});
