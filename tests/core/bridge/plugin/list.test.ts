import { status } from "@grpc/grpc-js";
import { ListRequest } from "@pulumi/pulumi/proto/provider_pb";
import { continuationOf, onwardIn } from "../../../../provider/core/bridge/plugin/queries";
import { type Stub, startStub, TEST_TOKENS } from "../../../../testing/stub";
import { type Bag, errorOf, secret, UNKNOWN } from "./calls";
import { type AttachedEngine, attachedEngine } from "./client";

const urnOf = (token: string) => `urn:pulumi:dev::platform::quarterdeck:${token}::it`;
describe("the List call of the plugin", () => {
  let stub: Stub;
  let engine: AttachedEngine;

  beforeEach(async () => {
    stub = await startStub();
    const settings = (["workspaces", "scheduler", "secrets", "mesh"] as const).map((service) => {
      const { [service]: address } = stub.addresses;
      const organization = service === "workspaces" && { organization: "acme" };
      return [service, { address, token: TEST_TOKENS[service], ...organization }] as const;
    });
    const { secrets } = Object.fromEntries(settings);
    engine = await attachedEngine({ ...Object.fromEntries(settings), connections: { eu: { secrets } } });
  });
  afterEach(async () => {
    engine.stop();
    await stub.stop();
  });

  async function createAll(token: string, ...programs: Bag[]): Promise<string[]> {
    const ids: string[] = [];
    for (const program of programs) {
      const { inputs, failures } = await engine.calls.check(urnOf(token), {}, program);
      expect(failures).toEqual([]);
      ids.push((await engine.calls.create(urnOf(token), inputs)).id);
    }
    return ids;
  }

  /** All pages, requested one after the other as an engine does. */
  async function listAll(token: string, query: Bag, options: { limit?: number; pageSize?: number }) {
    const pages: string[][] = [];
    let from = "";
    do {
      const { ids, next } = await engine.calls.list(token, query, { ...options, from });
      pages.push(ids);
      from = next;
    } while (from !== "");
    return pages;
  }

  const job = (id: string, more: Bag = {}) => ({
    json: {
      ID: id,
      Name: `the ${id}`,
      TaskGroups: [{ Name: "g", Tasks: [{ Name: "t", Driver: "docker" }] }],
    },
    namespace: "default",
    ...more,
  });
  const kinds: readonly [string, Bag, readonly Bag[]][] = [
    ["scheduler:Job", {}, ["a", "b", "c", "d", "e"].map((id) => job(id))],
    ["workspaces:Workspace", {}, ["a", "b", "c", "d", "e"].map((name) => ({ name }))],
    [
      "workspaces:RegistryProvider",
      {},
      ["a", "b", "c"].map((name) => ({ registryName: "private", namespace: "acme", name })),
    ],
    ["secrets:QueueRole", {}, ["c", "b", "e_1", "d.e"].map((name) => ({ name, tags: "monitoring" }))],
    [
      "secrets:MfaMethod",
      {},
      ["a", "b", "c"].map((methodName) => ({ methodName, orgName: "o", apiToken: "t" })),
    ],
    ["mesh:ServiceDefaults", {}, ["c", "a", "b"].map((name) => ({ name, spec: { protocol: "http" } }))],
    [
      "mesh:ConfigEntry",
      { kind: "service-defaults" },
      ["c", "a", "b"].map((name) => ({ kind: "service-defaults", name, spec: { Protocol: "http" } })),
    ],
  ];

  test.each(kinds)(
    "returns the same IDs of %s in pages of one as in a single page, with one request per page",
    async (token, query, programs) => {
      const there = await engine.calls.list(token, query);
      const ids = [...there.ids, ...(await createAll(token, ...programs))];
      const defaultPages = await listAll(token, query, {});
      expect(defaultPages.length).toBe(1);
      expect([...(defaultPages[0] ?? [])].sort()).toEqual([...ids].sort());
      await stub.clearRequests();
      const pages = await listAll(token, query, { pageSize: 1 });
      expect(pages.map((page) => page.length)).toEqual(ids.map(() => 1));
      expect(pages.flat().sort()).toEqual([...ids].sort());
      const asked = await stub.requests();
      expect(asked.length).toBe(ids.length);
      const sizes = asked.flatMap(({ query }) => query["page[size]"] ?? query.per_page ?? []);
      expect(sizes).toEqual(/^(secrets|mesh):/.test(token) ? [] : ids.map(() => "1"));
      const some = await listAll(token, query, { pageSize: 2, limit: 3 });
      expect(some.map((page) => page.length)).toEqual([2, 1]);
      expect((await listAll(token, query, { limit: 2 })).map((page) => page.length)).toEqual([2]);
      for (const id of pages.flat()) expect((await engine.calls.read(urnOf(token), id)).id).toBe(id);
    },
  );

  test("continues up to the limit if the engine sends the original or the remaining limit", async () => {
    await createAll(
      "secrets:QueueRole",
      ...["a", "b", "c", "d"].map((name) => ({ name, tags: "monitoring" })),
    );
    for (const limit of [3, 1]) {
      const { next } = await engine.calls.list("secrets:QueueRole", {}, { limit: 3, pageSize: 2 });
      const rest = await engine.calls.list("secrets:QueueRole", {}, { limit, pageSize: 2, from: next });
      expect([rest.ids, rest.next]).toEqual([["rabbitmq/c"], ""]);
    }
  });

  test("continues after the last listed ID if objects were created and deleted since", async () => {
    const [, second = ""] = await createAll(
      "secrets:QueueRole",
      ...["a", "c", "e"].map((name) => ({ name, tags: "monitoring" })),
    );
    const { ids, next } = await engine.calls.list("secrets:QueueRole", {}, { pageSize: 2 });
    expect(ids).toEqual(["rabbitmq/a", "rabbitmq/c"]);
    const { outputs, inputs } = await engine.calls.read(urnOf("secrets:QueueRole"), second);
    await engine.calls.delete(urnOf("secrets:QueueRole"), second, { inputs, outputs });
    await createAll(
      "secrets:QueueRole",
      { name: "b", tags: "monitoring" },
      { name: "d", tags: "monitoring" },
    );
    const rest = await engine.calls.list("secrets:QueueRole", {}, { pageSize: 2, from: next });
    expect([rest.ids, rest.next]).toEqual([["rabbitmq/d", "rabbitmq/e"], ""]);
  });

  test("supports the filters of the API and returns display names", async () => {
    const { calls } = engine;
    await createAll("scheduler:Job", job("web-a"), job("web-b"), job("db"));
    expect(await calls.list("scheduler:Job", { prefix: "web" })).toMatchObject({
      ids: ["default/web-a", "default/web-b"],
      names: ["the web-a", "the web-b"],
    });
    expect((await calls.list("scheduler:Job", { filter: 'ID == "db"', namespace: "*" })).ids).toEqual([
      "default/db",
    ]);
    await createAll(
      "workspaces:Workspace",
      { name: "net-a", tagNames: ["prod"] },
      { name: "net-b" },
      { name: "app" },
    );
    expect((await calls.list("workspaces:Workspace", { search: "net" })).names).toEqual(["net-a", "net-b"]);
    expect((await calls.list("workspaces:Workspace", { tags: ["prod"] })).names).toEqual(["net-a"]);
    const [id = ""] = await createAll("secrets:MfaMethod", {
      methodName: "staff",
      orgName: "o",
      apiToken: "t",
    });
    expect(await calls.list("secrets:MfaMethod")).toMatchObject({ ids: [id], names: ["staff"] });
    await createAll("mesh:ServiceDefaults", { name: "a", spec: { protocol: "http" } }, { name: "b" });
    expect((await calls.list("mesh:ServiceDefaults", { filter: 'Protocol == "http"' })).names).toEqual(["a"]);
  });

  test("returns IDs with the name of the connection if the query uses a named connection", async () => {
    await createAll("secrets:QueueRole", { name: "a", tags: "monitoring" });
    const { ids } = await engine.calls.list("secrets:QueueRole", { connection: "eu" });
    expect(ids).toEqual(["eu:rabbitmq/a"]);
    expect((await engine.calls.read(urnOf("secrets:QueueRole"), "eu:rabbitmq/a")).inputs).toMatchObject({
      connection: "eu",
    });
  });

  test("returns 100 IDs per page by default", async () => {
    const names = Array.from({ length: 130 }, (_, index) => `n${String(index).padStart(3, "0")}`);
    for (const name of names) {
      const entry = { Kind: "service-defaults", Name: name };
      await fetch(`${stub.addresses.mesh}/v1/config`, {
        method: "PUT",
        headers: { "x-consul-token": TEST_TOKENS.mesh },
        body: JSON.stringify(entry),
      });
    }
    const pages = await listAll("mesh:ServiceDefaults", {}, {});
    expect(pages.map((page) => page.length)).toEqual([100, 30]);
    expect((await listAll("mesh:ServiceDefaults", {}, { pageSize: 130 })).length).toBe(1);
  });

  test("requests several pages of the server for a page that is larger than the server's maximum", async () => {
    const headers = {
      authorization: `Bearer ${TEST_TOKENS.workspaces}`,
      "content-type": "application/vnd.api+json",
    };
    for (let number = 0; number < 103; number++) {
      const data = { type: "workspaces", attributes: { name: `n${number}` } };
      const at = `${stub.addresses.workspaces}/api/v2/organizations/acme/workspaces`;
      await fetch(at, { method: "POST", headers, body: JSON.stringify({ data }) });
    }
    await stub.clearRequests();
    const pages = await listAll("workspaces:Workspace", {}, { pageSize: 102 });
    expect(pages.map((page) => page.length)).toEqual([102, 1]);
    expect(new Set(pages.flat()).size).toBe(103);
    const asked = await stub.requests();
    expect(asked.map(({ query }) => [query["page[number]"], query["page[size]"]])).toEqual([
      ["1", "100"],
      ["2", "100"],
      ["2", "100"],
    ]);
  });

  test("divides the IDs into pages if the server ignores the page parameters", async () => {
    const data = ["ws-c", "ws-a", "ws-b"].map((id) => ({
      id,
      type: "workspaces",
      attributes: { name: `the ${id}` },
    }));
    await stub.fault({
      kind: "status",
      match: { service: "workspaces", method: "GET" },
      times: "always",
      status: 200,
      headers: { "content-type": "application/vnd.api+json" },
      body: JSON.stringify({ data }),
    });
    const pages = await listAll("workspaces:Workspace", {}, { pageSize: 2 });
    expect(pages).toEqual([["ws-a", "ws-b"], ["ws-c"]]);
  });

  test("ends when the engine cancels it, and does not affect the next call", async () => {
    await stub.fault({
      kind: "delay",
      match: { service: "mesh", method: "GET" },
      times: "always",
      milliseconds: 20_000,
    });
    const running = errorOf(engine.calls.list("mesh:ServiceDefaults"));
    await stub.awaitRequests({ service: "mesh" });
    await engine.calls.cancel();
    expect((await running).message).toMatch(/cancel/i);
    await stub.clearFaults();
    expect((await engine.calls.list("mesh:ServiceDefaults")).ids).toEqual([]);
  });

  test("aborts its request to the server when the client cancels the stream", async () => {
    // The lookup of the primary datacenter is shared by all calls, so that no call aborts it.
    await engine.calls.list("mesh:ServiceDefaults");
    await stub.clearRequests();
    await stub.fault({ kind: "delay", match: { service: "mesh" }, times: "always", milliseconds: 20_000 });
    const request = new ListRequest();
    request.setToken("quarterdeck:mesh:ServiceDefaults");
    const stream = engine.client.list(request);
    const ended = new Promise((done) => stream.once("error", done));
    stream.resume();
    await stub.awaitRequests({ service: "mesh" });
    stream.cancel();
    expect(await ended).toMatchObject({ code: status.CANCELLED });
    await stub.awaitRequests({ service: "mesh", outcome: "lost" });
  });

  test("returns a computed result and sends no request if the query contains an unknown value", async () => {
    const answer = await engine.calls.list("scheduler:Job", { prefix: UNKNOWN });
    expect(answer).toEqual({ ids: [], names: [], next: "", isComputed: true });
    expect((await stub.requests()).length).toBe(0);
  });

  test.each([
    ["scheduler:Job", { prefx: "web" }, 'prefx: given "web": unknown property; did you mean prefix?'],
    ["scheduler:Job", { prefix: "a", filter: "b" }, "cannot be combined with prefix"],
    ["mesh:ConfigEntry", {}, "kind"],
    ["secrets:QueueRole", { mount: 3 }, "mount: "],
    ["secrets:QueueRole", { connection: "us" }, 'has no connection "us"'],
  ])(
    "rejects the %s query %j with an error that names the problem, and sends no request",
    async (token, query, words) => {
      expect((await errorOf(engine.calls.list(token, query))).message).toContain(words);
      expect((await stub.requests()).length).toBe(0);
    },
  );

  test("rejects an unknown type, and a type that cannot be listed with the reason", async () => {
    for (const [token, words] of [
      ["secrets:CloudRoot", "the API does not list these objects: read an object by its ID, {mount}"],
      ["secrets:QueueConnection", "never returns it"],
      ["workspaces:WorkspaceForceUnlock", "an action leaves no object"],
      ["secrets:RecoveryKeyRekey", "only in the state"],
    ] as const) {
      const { code, message } = await errorOf(engine.calls.list(`quarterdeck:${token}`));
      expect([code, message]).toEqual([
        status.UNIMPLEMENTED,
        expect.stringMatching(new RegExp(`^${token} cannot be listed: .*${words}`)),
      ]);
    }
    expect(await errorOf(engine.calls.list("quarterdeck:scheduler:Jobb"))).toMatchObject({
      code: status.NOT_FOUND,
    });
  });

  test("rejects a continuation token of another list and an invalid one, and sends no request", async () => {
    await createAll("scheduler:Job", job("a"), job("b"));
    const { next } = await engine.calls.list("scheduler:Job", {}, { pageSize: 1 });
    await stub.clearRequests();
    const onward = JSON.parse(Buffer.from(next, "base64url").toString("utf8"));
    const changed = (members: Bag) =>
      Buffer.from(JSON.stringify({ ...onward, ...members })).toString("base64url");
    for (const [token, query, from, words] of [
      ["scheduler:Job", {}, changed({ at: 5 }), "was not issued by this provider"],
      ["scheduler:Job", {}, changed({ after: ["a"] }), "was not issued by this provider"],
      ["scheduler:Job", {}, changed({ size: 0 }), "was not issued by this provider"],
      ["scheduler:Job", {}, changed({ left: 1.5 }), "was not issued by this provider"],
      ["scheduler:Job", { prefix: "a" }, next, "belongs to a different list"],
      ["secrets:QueueRole", {}, next, "belongs to a different list"],
      ["scheduler:Job", {}, "bm9uc2Vuc2U", "was not issued by this provider"],
      ["scheduler:Job", {}, next.slice(4), "was not issued by this provider"],
    ] as const) {
      const { code, message } = await errorOf(engine.calls.list(token, query, { from }));
      expect([code, message]).toEqual([
        status.INVALID_ARGUMENT,
        expect.stringContaining(`${token}: the continuation token ${words}`),
      ]);
    }
    expect((await stub.requests()).length).toBe(0);
  });

  test("accepts a continuation token if the arguments have another order, because maps have no order", () => {
    const asked = { token: "scheduler:Job", args: { prefix: "a", namespace: "default" } };
    const onward = { at: undefined, after: "default/a", size: 5, left: undefined };
    const other = { ...asked, args: { namespace: "default", prefix: "a" } };
    expect(onwardIn(other, continuationOf(asked, onward))).toEqual(onward);
  });

  test("redacts secrets of the query in its errors", async () => {
    await stub.fault({
      kind: "status",
      match: { service: "scheduler" },
      status: 400,
      body: "no prefix canary-prefix here",
    });
    const { message } = await errorOf(
      engine.calls.list("scheduler:Job", { prefix: secret("canary-prefix") }),
    );
    expect(message).toContain("no prefix [secret] here");
  });
});
