import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { promisify } from "node:util";
import { request } from "undici";
import {
  defaultSeed,
  type ServiceName,
  type Stub,
  StubClock,
  StubControl,
  StubControlError,
  type StubControls,
  type StubOptions,
  startStub,
  TEST_TOKENS,
} from "../../stub";
import { RawClient } from "./frame/raw";

async function withStub(run: (stub: Stub) => Promise<void>, options: StubOptions = {}): Promise<void> {
  const clock = new StubClock(() => 1_000_000);
  const services = Object.fromEntries(Object.entries(defaultSeed).map(([name, seed]) => [name, { seed }]));
  const stub = await startStub({ dialect: "neutral", clock, ...services, ...options });
  try {
    await run(stub);
  } finally {
    await stub.stop();
  }
}

const ROLE = "/v1/msgq/roles/orders";
const SECRETS = { headers: { "x-secrets-token": TEST_TOKENS.secrets } };

function writeRole(stub: Stub, tags: string) {
  return request(stub.addresses.secrets + ROLE, {
    method: "POST",
    ...SECRETS,
    body: JSON.stringify({ tags }),
  });
}

/** The URL and the headers of a request that a client of each service would send first. */
const FIRST: Record<ServiceName, (stub: Stub) => [string, Record<string, string>]> = {
  workspaces: ({ addresses }) => [
    `${addresses.workspaces}/api/v2/organizations/acme/workspaces`,
    { authorization: `Bearer ${TEST_TOKENS.workspaces}` },
  ],
  scheduler: ({ addresses }) => [
    `${addresses.scheduler}/v1/jobs`,
    { "x-sched-token": TEST_TOKENS.scheduler },
  ],
  secrets: ({ addresses }) => [`${addresses.secrets}/v1/msgq/config/lease`, SECRETS.headers],
  mesh: ({ addresses }) => [
    `${addresses.mesh}/v1/config/service-defaults/orders`,
    { "x-mesh-token": TEST_TOKENS.mesh },
  ],
};

describe("startStub", () => {
  test.each(Object.keys(FIRST) as ServiceName[])(
    "serves %s on a separate port, and accepts only requests with the token of the default seed",
    (name) =>
      withStub(async (stub) => {
        const [url, headers] = FIRST[name](stub);
        const allowed = await request(url, { headers });
        await allowed.body.dump();
        const refused = await request(url);
        await refused.body.dump();
        expect([200, 404]).toContain(allowed.statusCode);
        expect([401, 403]).toContain(refused.statusCode);
        expect(new Set([...Object.values(stub.addresses), stub.control]).size).toBe(5);
      }),
  );

  test("applies the given ports, switches and seed", async () => {
    const free = await freePort();
    await withStub(
      async (stub) => {
        expect(stub.addresses.secrets).toBe(`http://127.0.0.1:${free}`);
        const response = await request(`${stub.addresses.secrets}/v1/msgq/config/lease`, {
          headers: { "x-vault-token": "real" },
        });
        expect(response.statusCode).toBe(404);
      },
      {
        ports: { secrets: free },
        secrets: { switches: { dialect: "real" }, seed: { tokens: { real: {} } } },
      },
    );
  });

  test("reports the port that is in use, and closes the ports that it opened", async () => {
    const taken = createServer();
    const port = await listening(taken);
    const free = await freePort();
    try {
      await expect(startStub({ ports: { scheduler: free, control: port } })).rejects.toThrow(
        `the stub's control cannot listen on 127.0.0.1:${port}: `,
      );
      await expect(startStub({ ports: { scheduler: free, secrets: port } })).rejects.toThrow(
        `the secrets service cannot listen on 127.0.0.1:${port}: `,
      );
    } finally {
      taken.close();
    }
    await withStub(async () => undefined, { ports: { scheduler: free } });
  });
});

describe("stop", () => {
  test("closes idle, waiting and incomplete connections of services and control, and can be called twice", async () => {
    const stub = await startStub({ dialect: "neutral", ...defaultOptions() });
    const [port, control] = [portOf(stub.addresses.scheduler), portOf(stub.control)];
    const clients = [port, port, port, control].map((at) => new RawClient(at));
    const [idle, waiting, torn, held] = clients;
    const head = `Host: 127.0.0.1\r\nX-Sched-Token: ${TEST_TOKENS.scheduler}\r\n`;
    await idle?.send(`GET /v1/jobs HTTP/1.1\r\n${head}\r\n`);
    await idle?.answers(1);
    await waiting?.send(`GET /v1/jobs?index=1000000&wait=10m HTTP/1.1\r\n${head}\r\n`);
    await stub.awaitRequests({ query: { wait: "10m" } });
    await torn?.send(`PUT /v1/jobs HTTP/1.1\r\n${head}Content-Length: 1000\r\n\r\n{`);
    const body = JSON.stringify({ filter: { method: "NEVER" } });
    await held?.send(
      `POST /requests/await HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await Promise.all([stub.stop(), stub.stop()]);
    await Promise.all(clients.map((client) => client.closed()));
    await stub.stop();
    for (const at of [port, control]) {
      const late = new RawClient(at);
      await late.closed();
      expect(late.error).toBe("ECONNREFUSED");
    }
  });
});

const both: [string, (stub: Stub) => StubControls][] = [
  ["in process", (stub) => stub],
  ["over HTTP", (stub) => new StubControl(stub.control)],
];

describe.each(both)("The control API, %s", (_where, controlsOf) => {
  test("adds faults, reports whether they were used, and clears them", () =>
    withStub(async (stub) => {
      const controls = controlsOf(stub);
      const match = { service: "secrets", path: ROLE } as const;
      const [id] = await controls.fault({ kind: "status", match, status: 503 });
      expect(await controls.faults()).toEqual([
        {
          id,
          fault: { kind: "status", match, skip: 0, times: 1, status: 503, headers: {}, acts: false },
          seen: 0,
          used: 0,
          isUsed: false,
          failures: [],
        },
      ]);
      await expect(controls.expectFaultsUsed()).rejects.toThrow(StubControlError);
      expect((await writeRole(stub, "a")).statusCode).toBe(503);
      expect((await writeRole(stub, "a")).statusCode).toBe(204);
      await controls.expectFaultsUsed();
      await controls.clearFaults();
      expect(await controls.faults()).toEqual([]);
    }));

  test("filters and clears the request log, and waits for requests", () =>
    withStub(async (stub) => {
      const controls = controlsOf(stub);
      const waiting = controls.awaitRequests({ service: "secrets", outcome: "answered" }, 2, 5000);
      await writeRole(stub, "one");
      await writeRole(stub, "two");
      expect(await waiting).toMatchObject([{ body: { tags: "one" } }, { body: { tags: "two" } }]);
      expect(await controls.requests({ path: ROLE, query: {}, bodyIncludes: "two", after: 1 })).toHaveLength(
        1,
      );
      expect(await controls.requests({ query: { list: "true" } })).toEqual([]);
      await controls.clearRequests();
      expect(await controls.requests()).toEqual([]);
      await expect(controls.awaitRequests({}, 1, 1)).rejects.toThrow(
        /^0 of 1 requests like \{\} came within 1 ms$/,
      );
    }));

  test("keeps integers above 2^53 exact in logged bodies", () =>
    withStub(async (stub) => {
      const body = '{"CAS":18446744073709551615}';
      await request(`${stub.addresses.scheduler}/v1/jobs`, { method: "PUT", body });
      expect((await controlsOf(stub).requests())[0]?.body).toEqual({ CAS: 18446744073709551615n });
    }));

  test("advances the clock of the services, and rejects a negative step", () =>
    withStub(async (stub) => {
      const controls = controlsOf(stub);
      expect(await controls.now()).toBe(1_000_000);
      expect(await controls.advance(1500)).toBe(1_001_500);
      expect(stub.clock.now()).toBe(1_001_500);
      await expect(controls.advance(-1)).rejects.toThrow(StubControlError);
    }));

  test("seeds, configures, dumps and resets a service", () =>
    withStub(async (stub) => {
      const controls = controlsOf(stub);
      await controls.seed("secrets", { tokens: { late: {} } });
      await controls.configure("secrets", { dialect: "real" });
      const url = `${stub.addresses.secrets}/v1/sys/mounts-are-not-here`;
      const statusWith = async (name: string) =>
        (await request(url, { headers: { [name]: "late" } })).statusCode;
      expect([await statusWith("x-vault-token"), await statusWith("x-secrets-token")]).toEqual([404, 403]);
      await controls.configure("secrets", { dialect: "neutral" });
      await writeRole(stub, "kept");
      expect(JSON.stringify(await controls.dump("secrets"))).toContain("kept");
      expect(JSON.stringify(await controls.dump("secrets"))).not.toContain(TEST_TOKENS.secrets);
      await controls.fault({ kind: "html", match: { service: "secrets" } });
      await controls.reset();
      expect(JSON.stringify(await controls.dump("secrets"))).not.toContain("kept");
      expect([await controls.faults(), await controls.requests()]).toEqual([[], []]);
      expect(await statusWith("x-secrets-token")).toBe(404);
    }));

  test.each<[string, (controls: StubControls) => Promise<unknown>, RegExp]>([
    [
      "an unknown kind of fault",
      // Not a fault by its type, as from a client in another language.
      (controls) => controls.fault({ kind: "fire", match: { service: "mesh" } } as never),
      /kind/,
    ],
    [
      "a fault with an unknown field",
      (controls) => controls.fault({ kind: "html", match: { service: "mesh" }, time: 1 } as never),
      /Unrecognized key: "time"/,
    ],
    [
      "a fault for an unknown service",
      (controls) => controls.fault({ kind: "html", match: { service: "store" } } as never),
      /service/,
    ],
    [
      "a path pattern that is not a regular expression",
      (controls) => controls.fault({ kind: "html", match: { service: "mesh", pathPattern: "(" } }),
      /is not a regular expression/,
    ],
    ["an empty list of faults", (controls) => controls.fault(), /1/],
    ["a filter with an unknown field", (controls) => controls.requests({ verb: "GET" } as never), /verb/],
    ["a seed with an unknown field", (controls) => controls.seed("secrets", { token: {} }), /token/],
    ["an unknown switch", (controls) => controls.configure("secrets", { speed: 1 }), /speed/],
    [
      "an unknown value of a switch",
      (controls) => controls.configure("secrets", { dialect: "old" }),
      /dialect/,
    ],
    ["a dump of an unknown service", (controls) => controls.dump("store" as never), /workspaces/],
  ])("rejects %s with the reason, and adds no fault", (_what, asks, message) =>
    withStub(async (stub) => {
      const asked = asks(controlsOf(stub));
      await expect(asked).rejects.toThrow(StubControlError);
      await expect(asked).rejects.toThrow(message);
      expect(await stub.faults()).toEqual([]);
    }),
  );
});

describe("The HTTP interface of the control API", () => {
  const post = (stub: Stub, path: string, body: string, headers: Record<string, string> = {}) =>
    request(stub.control + path, {
      method: "POST",
      body,
      headers: { "content-type": "application/json", ...headers },
    });

  test("lets another process that knows only its address add faults, read the log and advance the clock", () =>
    withStub(async (stub) => {
      const script = `
        const control = process.argv[1];
        const say = (method, path, body) => fetch(control + path, { method, body: JSON.stringify(body),
          headers: { "content-type": "application/json" } }).then((response) => response.json());
        (async () => {
          const { addresses } = await say("GET", "/");
          await say("POST", "/faults", { faults: [{ kind: "status", match: { service: "secrets" }, status: 418 }] });
          const { status } = await fetch(addresses.secrets + "/v1/anything");
          const { requests } = await say("GET", "/requests?service=secrets&after=0");
          const { now } = await say("POST", "/clock", { advance: 7 });
          await say("POST", "/faults/expect-used", {});
          console.log(JSON.stringify({ status, seen: requests.map(({ path }) => path), now }));
        })();`;
      const { stdout } = await promisify(execFile)(process.execPath, ["-e", script, stub.control]);
      expect(JSON.parse(stdout)).toEqual({ status: 418, seen: ["/v1/anything"], now: 1_000_007 });
      expect(await new StubControl(`${stub.control}/`).addresses()).toEqual(stub.addresses);
    }));

  test.each([
    ["the content type of a form", { "content-type": "text/plain" }, 415],
    ["an Origin header", { origin: "http://127.0.0.1:4600" }, 403],
    ["a Host header other than loopback", { host: "evil.example" }, 403],
  ])("rejects a request that a web page could send: %s", (_what, headers, status) =>
    withStub(async (stub) => {
      const fault = { kind: "kill", match: { service: "mesh" }, pid: 4_000_000 };
      const response = await post(stub, "/faults", JSON.stringify({ faults: [fault] }), headers);
      expect(response.statusCode).toBe(status);
      expect(await stub.faults()).toEqual([]);
    }),
  );

  test.each([
    ["/faults", "{", 400, "the body is not JSON"],
    ["/faults", "{}", 400, "faults"],
    ["/clock", '{"advance":"1"}', 400, "advance"],
    ["/clock", '{"ahead":1}', 400, 'Unrecognized key: "ahead"'],
    ["/seed/store", "{}", 400, "workspaces"],
    ["/switches/mesh", "[]", 400, "record"],
    ["/requests/await", '{"filter":{},"count":0}', 400, "count"],
    ["/nowhere", "{}", 404, "the stub's control has no POST /nowhere"],
    ["/seed/%zz", "{}", 400, "percent-encoded"],
  ])("POST %s with %s returns %d: %s", (path, body, status, text) =>
    withStub(async (stub) => {
      const client = new RawClient(portOf(stub.control));
      await client.send(
        `POST ${path} HTTP/1.1\r\nHost: localhost:1\r\nContent-Type: application/json; charset=utf-8\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      const answer = await client.closed();
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(answer).toContain(text);
    }),
  );

  test.each(["after=x", "query=%7B", "after=-1", "verb=GET"])(
    "GET /requests?%s returns 400 and names the parameter",
    (search) =>
      withStub(async (stub) => {
        const { statusCode, body } = await request(`${stub.control}/requests?${search}`);
        expect(statusCode).toBe(400);
        expect(await body.text()).toContain(search.split("=")[0]);
      }),
  );
});

function defaultOptions(): StubOptions {
  return { scheduler: { seed: defaultSeed.scheduler } };
}

function portOf(address: string): number {
  return Number(new URL(address).port);
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listening(server);
  server.close();
  await once(server, "close");
  return port;
}

async function listening(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}
