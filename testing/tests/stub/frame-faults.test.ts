import { spawn } from "node:child_process";
import { once } from "node:events";
import { createConnection } from "node:net";
import { request } from "undici";
import type { FaultInput } from "../../stub/frame/fault";
import { START, withEcho } from "./frame/echo";
import { RawClient } from "./frame/raw";

const PUT = { service: "mesh", method: "PUT" } as const;
const GET = { service: "mesh", method: "GET" } as const;

async function put(address: string, value: string) {
  const response = await request(`${address}/value`, { method: "PUT", body: value });
  return { status: response.statusCode, text: await response.body.text(), headers: response.headers };
}

async function value(address: string): Promise<unknown> {
  const response = await request(`${address}/value`);
  return ((await response.body.json()) as { value: unknown }).value;
}

describe("Faults of a response", () => {
  test("lostRequest: resets the connection before the service receives the request", () =>
    withEcho(async ({ address, controls, service }) => {
      await controls.fault({ kind: "lostRequest", match: PUT });
      await expect(put(address, "second")).rejects.toMatchObject({ code: "ECONNRESET" });
      expect(service.value).toBe("first");
      expect(await controls.requests()).toMatchObject([
        { reached: false, outcome: "lost", status: null, serviceStatus: null, faults: ["lostRequest"] },
      ]);
      expect((await put(address, "second")).status).toBe(200);
      await controls.expectFaultsUsed();
    }));

  test("lostResponse: resets the connection after the service has applied the request", () =>
    withEcho(async ({ address, controls, service }) => {
      await controls.fault({ kind: "lostResponse", match: PUT });
      await expect(put(address, "second")).rejects.toMatchObject({ code: "ECONNRESET" });
      expect(service.value).toBe("second");
      expect(await controls.requests()).toMatchObject([
        {
          reached: true,
          outcome: "lost",
          status: null,
          serviceStatus: 200,
          bytes: 0,
          faults: ["lostResponse"],
        },
      ]);
    }));

  test.each([false, true])("status: replaces the response (acts: %s)", (acts) =>
    withEcho(async ({ address, controls, service }) => {
      await controls.fault({
        ...{ kind: "status", match: PUT, status: 503, acts },
        headers: { "Retry-After": "7", "Content-Type": "text/html" },
        body: "<p>busy</p>",
      });
      expect(await put(address, "second")).toMatchObject({
        status: 503,
        text: "<p>busy</p>",
        headers: { "retry-after": "7", "content-type": "text/html" },
      });
      expect(service.value).toBe(acts ? "second" : "first");
      expect(await controls.requests()).toMatchObject([
        { reached: acts, status: 503, serviceStatus: acts ? 200 : null, outcome: "answered", bytes: 11 },
      ]);
    }),
  );

  test("status: sends an object as JSON, and an empty body if none is given", () =>
    withEcho(async ({ address, controls }) => {
      await controls.fault(
        { kind: "status", match: PUT, status: 409, body: { errors: [18446744073709551615n] } },
        { kind: "status", match: PUT, status: 502 },
      );
      expect(await put(address, "x")).toMatchObject({
        status: 409,
        text: '{"errors":[18446744073709551615]}',
      });
      expect(await put(address, "x")).toMatchObject({ status: 502, text: "" });
    }));

  test("tornBody: closes the connection after fewer bytes than Content-Length", () =>
    withEcho(async ({ port, address, controls, service }) => {
      await controls.fault({ kind: "tornBody", match: GET, times: 2 });
      const client = new RawClient(port);
      await client.send("GET /value HTTP/1.1\r\nHost: x\r\n\r\n");
      const text = await client.closed();
      expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*content-length: 17\r\n[\s\S]*\r\n\r\n\{"value"$/i);
      await expect(value(address)).rejects.toMatchObject({ code: "UND_ERR_SOCKET" });
      expect(service.value).toBe("first");
      expect(await controls.requests()).toMatchObject([
        { reached: true, status: 200, outcome: "lost", bytes: 8 },
        { reached: true, outcome: "lost" },
      ]);
    }));

  test("tornBody: cuts the head of a response that has no body", () =>
    withEcho(async ({ address, port, controls }) => {
      await controls.fault({ kind: "tornBody", match: { service: "mesh", method: "DELETE" }, times: 2 });
      const client = new RawClient(port);
      await client.send("DELETE /nothing HTTP/1.1\r\nHost: x\r\n\r\n");
      expect(await client.closed()).toBe("HTTP/1.1 204");
      await expect(request(`${address}/nothing`, { method: "DELETE" })).rejects.toThrow();
    }));

  test("slowDrip: sends the body byte by byte as the clock advances", () =>
    withEcho(async ({ port, controls, clock }) => {
      await controls.fault({ kind: "slowDrip", match: GET, milliseconds: 1700 });
      const client = new RawClient(port);
      await client.send("GET /value HTTP/1.1\r\nHost: x\r\n\r\n");
      const received: string[] = [];
      for (let sent = 1; sent <= 17; sent += 1) {
        await client.until((text) => text.includes("\r\n\r\n") && bodyOf(text).length === sent - 1);
        received.push(bodyOf(client.text));
        clock.advance(100);
      }
      await client.answers(1);
      client.end();
      expect(received).toEqual(Array.from({ length: 17 }, (_, sent) => '{"value":"first"}'.slice(0, sent)));
      expect(bodyOf(client.text)).toBe('{"value":"first"}');
      expect(await controls.requests()).toMatchObject([{ outcome: "answered", bytes: 17 }]);
    }));

  test("slowDrip: stops when the client disconnects", () =>
    withEcho(async ({ port, controls, clock }) => {
      await controls.fault({ kind: "slowDrip", match: GET, milliseconds: 1700 });
      const client = new RawClient(port);
      await client.send("GET /value HTTP/1.1\r\nHost: x\r\n\r\n");
      await client.until((text) => text.includes("\r\n\r\n"));
      clock.advance(500);
      await client.until((text) => bodyOf(text).length === 5);
      client.end();
      expect(await controls.awaitRequests({ outcome: "lost" })).toMatchObject([{ bytes: 5 }]);
    }));

  test("html: returns an HTML page with status 200, and the service receives nothing", () =>
    withEcho(async ({ address, controls, service }) => {
      await controls.fault({ kind: "html", match: PUT });
      const { status, headers, text } = await put(address, "second");
      expect([status, headers["content-type"]]).toEqual([200, "text/html; charset=utf-8"]);
      expect(text).toContain("<title>Sign in</title>");
      expect(service.value).toBe("first");
      expect(await controls.requests()).toMatchObject([{ reached: false, status: 200 }]);
    }));

  test("delay: the service applies the request at once, and the response arrives after the delay", () =>
    withEcho(async ({ address, controls, service, clock }) => {
      await controls.fault({ kind: "delay", match: PUT, milliseconds: 60_000 });
      const answer = put(address, "second");
      await controls.awaitRequests({ method: "PUT" });
      expect(service.value).toBe("second");
      expect(await controls.requests()).toMatchObject([
        { outcome: "open", status: null, serviceStatus: 200 },
      ]);
      clock.advance(60_000);
      expect((await answer).status).toBe(200);
    }));

  test("delay before the service: the service applies the request late, even if the client has disconnected", () =>
    withEcho(async ({ port, controls, service, clock, address }) => {
      await controls.fault({ kind: "delay", match: PUT, milliseconds: 60_000, before: "service" });
      const client = new RawClient(port);
      await client.send("PUT /value HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\n\r\nsecond");
      await controls.awaitRequests({ method: "PUT" });
      client.end();
      await client.closed();
      expect(await value(address)).toBe("first");
      clock.advance(60_000);
      expect(await controls.awaitRequests({ outcome: "lost" })).toMatchObject([
        { reached: true, method: "PUT" },
      ]);
      expect(await value(address)).toBe("second");
      expect(service.before).toBe("first");
    }));

  test("stale: the service returns the value from before its latest write, once", () =>
    withEcho(async ({ address, controls }) => {
      await put(address, "second");
      await controls.fault({ kind: "stale", match: GET });
      expect([await value(address), await value(address)]).toEqual(["first", "second"]);
    }));

  test("edit: another user writes between a read and the next write of the client", () =>
    withEcho(async ({ address, controls, service }) => {
      await controls.fault({
        kind: "edit",
        match: PUT,
        requests: [
          { method: "PUT", path: "/value?who=other", headers: { "X-Mesh-Token": "canary" }, body: "theirs" },
        ],
      });
      expect(await value(address)).toBe("first");
      await put(address, "ours");
      expect([service.before, service.value]).toEqual(["theirs", "ours"]);
      await controls.expectFaultsUsed();
      expect(await controls.requests({ method: "PUT" })).toMatchObject([{ body: "ours", faults: ["edit"] }]);
      expect(JSON.stringify(await controls.faults())).not.toContain("canary");
    }));

  test("edit: expectFaultsUsed fails if the service rejects a request of the edit", () =>
    withEcho(async ({ address, controls }) => {
      await controls.fault({
        kind: "edit",
        match: PUT,
        requests: [
          { method: "POST", path: "/json", body: { fine: true } },
          { method: "PUT", path: "/nowhere", body: { a: 1 } },
        ],
      });
      await put(address, "ours");
      await expect(controls.expectFaultsUsed()).rejects.toThrow(
        'PUT /nowhere was answered 404: "no PUT /nowhere"',
      );
    }));
});

describe("kill", () => {
  const CALLER = `
    fetch(process.argv[1] + "/value", { method: "PUT", body: "second" }).then(
      () => process.exit(0), () => process.exit(1));`;

  test.each([false, true])(
    "kills the process of the client (service applies the request first: %s)",
    (acts) =>
      withEcho(async ({ address, controls, service }) => {
        const held = `process.stdin.once('data', () => {${CALLER}});`;
        const caller = spawn(process.execPath, ["-e", held, address], {
          stdio: ["pipe", "inherit", "inherit"],
        });
        if (caller.pid === undefined) throw new Error("no process");
        await controls.fault({ kind: "kill", match: PUT, pid: caller.pid, acts });
        caller.stdin.write("go\n");
        const [code, signal] = await once(caller, "exit");
        expect([code, signal]).toEqual([null, "SIGKILL"]);
        expect(service.value).toBe(acts ? "second" : "first");
        await controls.expectFaultsUsed();
        expect(await controls.requests()).toMatchObject([
          { reached: acts, outcome: "lost", faults: ["kill"] },
        ]);
      }),
  );

  test("expectFaultsUsed fails if the process no longer exists", () =>
    withEcho(async ({ address, controls }) => {
      const exited = spawn(process.execPath, ["-e", ""]);
      await once(exited, "exit");
      await controls.fault({ kind: "kill", match: PUT, pid: exited.pid ?? 0 });
      await expect(put(address, "x")).rejects.toThrow();
      await expect(controls.expectFaultsUsed()).rejects.toThrow(/process \d+ could not be killed: .*ESRCH/);
    }));

  test.each([0, 1, -1, process.pid])("rejects the process ID %d", (pid) =>
    withEcho(async ({ controls }) => {
      await expect(controls.fault({ kind: "kill", match: PUT, pid })).rejects.toThrow(/pid/);
    }),
  );
});

describe("Selection of requests for a fault", () => {
  const busy = (
    match: FaultInput["match"],
    more: { skip?: number; times?: number | "always" } = {},
  ): FaultInput => ({ ...{ kind: "status", match, status: 503 }, ...more });

  async function statuses(address: string, count: number): Promise<number[]> {
    const all: number[] = [];
    for (let sent = 0; sent < count; sent += 1) all.push((await put(address, "x")).status);
    return all;
  }

  test.each([
    ["the first request", {}, [503, 200, 200, 200]],
    ["the third request", { skip: 2 }, [200, 200, 503, 200]],
    ["the second and third request", { skip: 1, times: 2 }, [200, 503, 503, 200]],
    ["every request after the first", { skip: 1, times: "always" }, [200, 503, 503, 503]],
  ] as const)("a fault can apply to %s that matches", (_which, more, expected) =>
    withEcho(async ({ address, controls }) => {
      await controls.fault(busy(PUT, more));
      expect(await statuses(address, 4)).toEqual(expected);
    }),
  );

  test("faults for the same request apply one after another, in the given order", () =>
    withEcho(async ({ address, controls }) => {
      await controls.fault(
        { kind: "status", match: PUT, status: 500 },
        { kind: "status", match: PUT, status: 502 },
        { kind: "status", match: PUT, status: 429, skip: 3 },
      );
      expect(await statuses(address, 5)).toEqual([500, 502, 200, 429, 200]);
    }));

  test("an edit, a delay, a stale read and a lost response can apply to the same request", () =>
    withEcho(async ({ address, controls, service, clock }) => {
      await controls.fault(
        { kind: "edit", match: PUT, requests: [{ method: "PUT", path: "/value", body: "theirs" }] },
        { kind: "delay", match: PUT, milliseconds: 5 },
        { kind: "stale", match: PUT },
        { kind: "lostResponse", match: PUT },
      );
      const lost = put(address, "ours");
      lost.catch(() => undefined);
      await controls.awaitRequests(PUT);
      clock.advance(5);
      await expect(lost).rejects.toMatchObject({ code: "ECONNRESET" });
      expect([service.before, service.value]).toEqual(["theirs", "ours"]);
      expect((await controls.requests(PUT))[0]?.faults).toEqual(["edit", "delay", "stale", "lostResponse"]);
    }));

  test.each<[string, FaultInput["match"], boolean]>([
    ["its method", { service: "mesh", method: "PUT" }, true],
    ["a different method", { service: "mesh", method: "GET" }, false],
    ["its path", { service: "mesh", path: "/echo/a%2Fb" }, true],
    ["its decoded path", { service: "mesh", path: "/echo/a/b" }, false],
    ["a part of its path", { service: "mesh", path: "/echo" }, false],
    ["a pattern of its path", { service: "mesh", pathPattern: "^/echo/a%2F" }, true],
    ["a different pattern", { service: "mesh", pathPattern: "^/item" }, false],
    ["its query", { service: "mesh", query: { cas: "2" } }, true],
    ["a different query value", { service: "mesh", query: { cas: "3" } }, false],
    ["an absent query parameter", { service: "mesh", query: { purge: "" } }, false],
    ["its body", { service: "mesh", bodyIncludes: '"Name":"web"' }, true],
    ["a different body", { service: "mesh", bodyIncludes: "other" }, false],
    ["a different service", { service: "scheduler" }, false],
    [
      "all conditions",
      { ...PUT, path: "/echo/a%2Fb", query: { cas: "1", dc: "x" }, bodyIncludes: "web" },
      true,
    ],
    ["all conditions except one", { ...PUT, path: "/echo/a%2Fb", query: { cas: "1", dc: "y" } }, false],
  ])("a fault applies only if the request matches: %s", (_what, match, isMatched) =>
    withEcho(async ({ address, controls }) => {
      await controls.fault(busy(match));
      const response = await request(`${address}/echo/a%2Fb?cas=1&cas=2&dc=x`, {
        method: "PUT",
        body: '{"Name":"web"}',
      });
      await response.body.dump();
      expect(response.statusCode).toBe(isMatched ? 503 : 200);
    }),
  );

  test("reports for each fault how often it matched and applied, and expectFaultsUsed names an unused fault", () =>
    withEcho(async ({ address, controls }) => {
      const ids = await controls.fault(
        busy(PUT, { times: 2 }),
        busy({ service: "mesh", method: "LIST" }, { times: "always" }),
        busy(PUT, { skip: 1, times: "always" }),
      );
      await put(address, "x");
      await put(address, "x");
      await put(address, "x");
      expect(
        (await controls.faults()).map(({ id, seen, used, isUsed }) => ({ id, seen, used, isUsed })),
      ).toEqual([
        { id: ids[0], seen: 3, used: 2, isUsed: true },
        { id: ids[1], seen: 0, used: 0, isUsed: false },
        { id: ids[2], seen: 3, used: 1, isUsed: true },
      ]);
      await expect(controls.expectFaultsUsed()).rejects.toThrow(
        /^fault-2, status for \{"service":"mesh","method":"LIST"\}: acted 0 times, was asked to at least once after 0; 0 requests matched$/,
      );
      await controls.clearFaults();
      await controls.expectFaultsUsed();
    }));
});

describe("Connections during a fault", () => {
  test("other connections continue to work", () =>
    withEcho(async ({ address, port, controls }) => {
      const other = createConnection(port, "127.0.0.1");
      await once(other, "connect");
      await controls.fault({ kind: "lostRequest", match: PUT });
      await expect(put(address, "x")).rejects.toThrow();
      other.write("GET /value HTTP/1.1\r\nHost: x\r\n\r\n");
      const [bytes] = await once(other, "data");
      expect(String(bytes)).toMatch(/^HTTP\/1\.1 200 OK/);
      other.destroy();
    }));

  test("responses to earlier requests on the same connection are sent before it is reset", () =>
    withEcho(async ({ port, clock, controls }) => {
      await controls.fault({ kind: "lostResponse", match: PUT });
      const client = new RawClient(port);
      await client.send("GET /wait/1000 HTTP/1.1\r\nHost: x\r\n\r\n");
      await client.send("PUT /value HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\ny");
      await controls.awaitRequests({}, 2);
      clock.advance(1000);
      expect(await client.closed()).toMatch(/\{"waited":1000\}$/);
      expect(client.error).toBe("ECONNRESET");
    }));
});

test("the clock of these tests advances only on request", () =>
  withEcho(async ({ clock, controls }) => {
    expect([clock.now(), await controls.now()]).toEqual([START, START]);
    expect(await controls.advance(5)).toBe(START + 5);
  }));

function bodyOf(text: string): string {
  return text.slice(text.indexOf("\r\n\r\n") + 4);
}
