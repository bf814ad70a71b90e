import { type Stub, startStub } from "../../stub";
import { parseExactly } from "../../stub/frame/exact-json";

const TOKEN = "token-manager";
let stub: Stub;

beforeAll(async () => {
  stub = await startStub({
    dialect: "neutral",
    mesh: { seed: { tokens: { [TOKEN]: { management: true } } } },
  });
});

afterAll(() => stub.stop());
beforeEach(() => stub.reset());

function ask(method: string, path: string, body?: string): Promise<Response> {
  return fetch(`${stub.addresses.mesh}/v1${path}`, {
    method,
    headers: { "x-mesh-token": TOKEN },
    ...(body === undefined ? {} : { body }),
  });
}

describe("The mesh service over HTTP", () => {
  test("writes, reads, lists and deletes", async () => {
    const written = await ask("PUT", "/config?cas=0", '{"Kind":"service-defaults","Name":"web"}');
    expect([written.status, await written.text()]).toEqual([200, "true\n"]);
    expect(written.headers.get("content-type")).toBe("application/json");
    const read = await ask("GET", "/config/service-defaults/web");
    expect(read.headers.get("x-mesh-index")).toBe("2");
    expect(await read.json()).toMatchObject({ Kind: "service-defaults", Name: "web" });
    expect(await (await ask("GET", "/config/service-defaults")).json()).toHaveLength(1);
    expect(await (await ask("DELETE", "/config/service-defaults/web?cas=2")).text()).toBe("true\n");
    expect((await ask("GET", "/config/service-defaults/web")).status).toBe(404);
  });

  test("a Hash of 64 bits travels whole, and may be sent back as it came", async () => {
    await ask("PUT", "/config", '{"Kind":"service-defaults","Name":"web","Protocol":"http"}');
    const before = await (await ask("GET", "/config/service-defaults/web")).text();
    const [, hash = ""] = /"Hash":(\d+)/.exec(before) ?? [];
    expect(BigInt(hash)).toBeGreaterThan(2n ** 63n);
    expect(parseExactly(before)).toHaveProperty("Hash", BigInt(hash));
    expect(await (await ask("PUT", "/config?cas=1", before)).text()).toBe("true\n");
    expect(await (await ask("GET", "/config/service-defaults/web")).text()).toBe(before);
  });

  test("names are percent-decoded, and one may hold slashes", async () => {
    await ask("PUT", "/config", '{"Kind":"service-defaults","Name":"a b/c"}');
    for (const path of ["a%20b%2Fc", "a%20b/c"]) {
      expect((await ask("GET", `/config/service-defaults/${path}`)).status).toBe(200);
    }
  });

  test("a body that is no JSON, another verb, another path", async () => {
    const torn = await ask("PUT", "/config", '{"Kind":');
    expect([torn.status, await torn.text()]).toEqual([400, "Request decoding failed: the body is not JSON"]);
    const verb = await ask("POST", "/config", "{}");
    expect([verb.status, verb.headers.get("allow")]).toEqual([405, "PUT"]);
    expect((await ask("GET", "/configuration")).status).toBe(404);
    expect((await ask("GET", "/config")).status).toBe(405);
  });

  test("a blocking query waits for a write, and for the clock", async () => {
    const change = ask("GET", "/config/mesh?index=1");
    await stub.awaitRequests({ method: "GET", path: "/v1/config/mesh" });
    await ask("PUT", "/config", '{"Kind":"mesh"}');
    expect(await (await change).json()).toHaveLength(1);
    const index = (await ask("GET", "/config/mesh")).headers.get("x-mesh-index");
    const nothing = ask("GET", `/config/mesh?index=${index}&wait=10m`);
    await stub.awaitRequests({ method: "GET", path: "/v1/config/mesh" }, 3);
    await stub.advance(11 * 60_000);
    expect((await nothing).headers.get("x-mesh-index")).toBe(index);
  });

  test("the control seeds it, switches it and dumps it", async () => {
    await stub.seed("mesh", { entries: [{ entry: { Kind: "mesh" } }] });
    await stub.configure("mesh", { adds: false });
    const entry = await (await ask("GET", "/config/mesh/mesh")).json();
    expect(entry).toEqual({ Kind: "mesh", CreateIndex: 2, ModifyIndex: 2 });
    expect(await stub.dump("mesh")).toMatchObject({
      dc1: { entries: { "default/mesh/mesh": { name: "mesh" } } },
    });
    await stub.configure("mesh", { adds: true });
  });
});
