import { request } from "undici";
import { masked } from "../../stub/frame/masking";
import { RequestLog } from "../../stub/frame/request-log";
import { START, withEcho } from "./frame/echo";
import { RawClient } from "./frame/raw";

async function send(
  address: string,
  method: "GET" | "PUT" | "POST",
  path: string,
  body?: string,
  headers = {},
) {
  const response = await request(address + path, { method, headers, ...(body !== undefined && { body }) });
  await response.body.dump();
}

describe("The request log", () => {
  test("tells everything of a request", () =>
    withEcho(async ({ address, clock, controls }) => {
      clock.advance(5);
      await send(address, "PUT", "/echo/a%2Fb?cas=1&dc=x&dc=y", '{"Hash":18446744073709551615}', {
        "content-type": "application/json",
        "x-mesh-namespace": "team",
      });
      const [logged] = await controls.requests();
      expect(logged).toEqual({
        sequence: 1,
        service: "mesh",
        method: "PUT",
        path: "/echo/a%2Fb",
        query: { cas: "1", dc: ["x", "y"] },
        headers: expect.objectContaining({ "content-type": "application/json", "x-mesh-namespace": "team" }),
        body: { Hash: 18446744073709551615n },
        time: START + 5,
        reached: true,
        outcome: "answered",
        serviceStatus: 200,
        status: 200,
        bytes: expect.any(Number),
        faults: [],
      });
    }));

  test("keeps a body that is not JSON as text, and none as absent", () =>
    withEcho(async ({ address, controls }) => {
      await send(address, "PUT", "/value", "plain text");
      await send(address, "GET", "/value");
      const [put, get] = await controls.requests();
      expect(put?.body).toBe("plain text");
      expect(get).not.toHaveProperty("body");
    }));

  test("keeps the verb LIST", () =>
    withEcho(async ({ port, controls }) => {
      const client = new RawClient(port);
      await client.send("LIST /echo/a HTTP/1.1\r\nHost: x\r\n\r\n");
      await client.answers(1);
      client.end();
      expect(await controls.requests({ method: "LIST" })).toMatchObject([{ headers: { host: "x" } }]);
    }));

  test("shows no token", () =>
    withEcho(async ({ address, controls }) => {
      const canary = "canary-7f3a";
      await send(address, "GET", `/value?token=${canary}`, undefined, {
        authorization: `Bearer ${canary}`,
        "proxy-authorization": canary,
        cookie: `session=${canary}`,
        "x-mesh-token": canary,
        "X-Vault-Token": canary,
        "x-mesh-index": "4",
      });
      const shown = await controls.requests();
      expect(JSON.stringify(shown)).not.toContain(canary);
      expect(shown).toMatchObject([
        {
          query: { token: "[masked]" },
          headers: {
            authorization: "Bearer [masked]",
            "proxy-authorization": "[masked]",
            cookie: "[masked]",
            "x-mesh-token": "[masked]",
            "x-vault-token": "[masked]",
            "x-mesh-index": "4",
          },
        },
      ]);
    }));

  test.each([
    ["Basic dXNlcg==", "Basic [masked]"],
    ["dXNlcg==", "[masked]"],
    ["Bearer ", "[masked]"],
  ])("of the authorization %j it shows %j", (authorization, shown) => {
    expect(masked({ authorization })).toEqual({ authorization: shown });
  });

  test("gives what is asked for", () =>
    withEcho(async ({ address, controls }) => {
      await send(address, "GET", "/value?stale");
      await send(address, "PUT", "/value", "one");
      await send(address, "PUT", "/value", "two");
      await send(address, "GET", "/nowhere");
      const sequences = async (...[filter]: Parameters<typeof controls.requests>) =>
        (await controls.requests(filter)).map(({ sequence }) => sequence);
      expect(await sequences()).toEqual([1, 2, 3, 4]);
      expect(await sequences({ service: "mesh", method: "PUT" })).toEqual([2, 3]);
      expect(await sequences({ service: "secrets" })).toEqual([]);
      expect(await sequences({ path: "/value", after: 2 })).toEqual([3]);
      expect(await sequences({ pathPattern: "^/no" })).toEqual([4]);
      expect(await sequences({ query: { stale: "" } })).toEqual([1]);
      expect(await sequences({ bodyIncludes: "tw" })).toEqual([3]);
      expect(await sequences({ outcome: "lost" })).toEqual([]);
      await controls.clearRequests();
      await send(address, "GET", "/value");
      expect(await sequences()).toEqual([5]);
    }));

  test("keeps as many requests as it may, the latest", () =>
    withEcho(
      async ({ address, controls }) => {
        for (const body of ["1", "2", "3", "4", "5"]) await send(address, "PUT", "/value", body);
        expect((await controls.requests()).map(({ body }) => body)).toEqual([3, 4, 5]);
      },
      { requests: 3 },
    ));

  test("keeps as many bytes of bodies as it may, the latest", () =>
    withEcho(
      async ({ address, controls }) => {
        for (const letter of ["a", "b", "c"]) await send(address, "PUT", "/value", letter.repeat(40));
        expect((await controls.requests()).map(({ body }) => body)).toEqual(["b".repeat(40), "c".repeat(40)]);
        await send(address, "PUT", "/value", "d".repeat(101));
        expect(await controls.requests()).toEqual([]);
        await send(address, "PUT", "/value", "e");
        expect(await controls.requests()).toMatchObject([{ body: "e", sequence: 5 }]);
      },
      { bytes: 100 },
    ));

  test("does not keep a socket's whole buffer for a short body", () => {
    const log = new RequestLog();
    const buffer = Buffer.alloc(64 * 1024);
    const query = new URLSearchParams();
    const body = buffer.subarray(0, 5000);
    const entry = log.enter({ service: "mesh", method: "PUT", path: "/", query, body }, {}, 0);
    expect(entry.request.body).toEqual(body);
    expect(entry.request.body.buffer).not.toBe(buffer.buffer);
  });
});

describe("Waiting for requests", () => {
  test("ends when they have come", () =>
    withEcho(async ({ address, controls }) => {
      await send(address, "PUT", "/value", "one");
      const waiting = controls.awaitRequests({ method: "PUT" }, 2);
      await send(address, "GET", "/value");
      await send(address, "PUT", "/value", "two");
      expect((await waiting).map(({ body }) => body)).toEqual(["one", "two"]);
    }));

  test("can be for what becomes of them", () =>
    withEcho(async ({ address, controls, clock }) => {
      const open = controls.awaitRequests({ path: "/wait/1000", outcome: "open" });
      const answered = controls.awaitRequests({ path: "/wait/1000", outcome: "answered" });
      const sent = send(address, "GET", "/wait/1000");
      expect(await open).toMatchObject([{ outcome: "open", reached: true, status: null }]);
      clock.advance(1000);
      expect(await answered).toMatchObject([{ status: 200 }]);
      await sent;
    }));

  test("ends when patience does, and says what came", () =>
    withEcho(async ({ address, controls }) => {
      await send(address, "PUT", "/value", "one");
      await expect(controls.awaitRequests({ method: "PUT" }, 2, 1)).rejects.toThrow(
        '1 of 2 requests like {"method":"PUT"} came within 1 ms',
      );
    }));
});

describe("A caller that has gone", () => {
  test("ends the answer that waits for it", () =>
    withEcho(async ({ port, service, controls }) => {
      const client = new RawClient(port);
      await client.send("GET /wait/1000000 HTTP/1.1\r\nHost: x\r\n\r\n");
      await controls.awaitRequests({ outcome: "open" });
      client.end();
      await service.ended();
      expect(service.waited).toEqual([{ time: START, isGone: true }]);
      expect(await controls.awaitRequests({ outcome: "lost" })).toHaveLength(1);
    }));

  test("in the middle of a body leaves nothing behind", () =>
    withEcho(async ({ address, port, controls, service }) => {
      const client = new RawClient(port);
      await client.send("PUT /value HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf");
      client.end();
      await client.closed();
      await send(address, "GET", "/value");
      expect(service.value).toBe("first");
      expect(await controls.requests()).toMatchObject([{ method: "GET" }]);
    }));
});
