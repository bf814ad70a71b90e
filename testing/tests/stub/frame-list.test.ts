import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request as httpRequest } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { request } from "undici";
import { DEFAULT_PORTS, SERVICE_NAMES, StubControl, startStub } from "../../stub";
import { RequestFraming } from "../../stub/frame/request-framing";
import { withEcho } from "./frame/echo";
import { RawClient } from "./frame/raw";

interface Echo {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A request as the bytes of HTTP/1.1; with chunk sizes its body is sent in chunks. */
function written(method: string, path: string, body: string, chunkSizes: readonly number[] | undefined) {
  const head = `${method} /echo/${path} HTTP/1.1\r\nHost: stub\r\nX-Own: ${method}\r\n`;
  if (chunkSizes === undefined) {
    const length = method === "LIST" && body === "" ? "" : `Content-Length: ${body.length}\r\n`;
    return `${head}${length}\r\n${body}`;
  }
  let chunks = "";
  let rest = body;
  for (const size of [...chunkSizes, body.length]) {
    const chunk = rest.slice(0, size);
    if (chunk !== "") chunks += `${chunk.length.toString(16)};note=1\r\n${chunk}\r\n`;
    rest = rest.slice(size);
  }
  return `${head}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\nX-Trailer: LIST /x HTTP/1.1\r\n\r\n`;
}

const requests = fc.array(
  fc.record({
    method: fc.constantFrom("GET", "LIST", "POST", "PUT", "DELETE", "LINK"),
    path: fc.constantFrom("a", "LIST", "a%2Fb"),
    body: fc.oneof(
      fc.constant(""),
      fc.constant("LIST /echo/forged HTTP/1.1\r\n\r\n"),
      fc.constant("\r\n\r\nLIST / HTTP/1.1\r\nHost: x\r\n\r\n"),
      fc.string({ maxLength: 50, unit: "binary-ascii" }),
    ),
    chunkSizes: fc.option(fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 4 }), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 8 },
);

describe("The HTTP method LIST", () => {
  test("reaches the service among other methods on one connection, with any body and any packet boundaries", () =>
    withEcho(async ({ port }) => {
      await fc.assert(
        fc.asyncProperty(
          requests,
          fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
          async (sent, cuts) => {
            const bytes = sent.map((one) => written(one.method, one.path, one.body, one.chunkSizes)).join("");
            const client = new RawClient(port);
            let at = 0;
            for (let turn = 0; at < bytes.length; turn += 1) {
              const next = at + (cuts[turn % cuts.length] ?? 1);
              await client.send(Buffer.from(bytes.slice(at, next), "latin1"));
              at = next;
            }
            const answers = (await client.answers(sent.length)) as Echo[];
            client.end();
            expect(answers.map(({ method, path, body }) => ({ method, path, body }))).toEqual(
              sent.map(({ method, path, body }) => ({ method, path: `/echo/${path}`, body })),
            );
            expect(answers.map(({ headers }) => headers["x-own"])).toEqual(sent.map(({ method }) => method));
          },
        ),
        { numRuns: 60 },
      );
    }));

  test("adds no header to the request that the service receives", () =>
    withEcho(async ({ port }) => {
      const client = new RawClient(port);
      await client.send("LIST /echo/ HTTP/1.1\r\nHost: stub\r\n\r\n");
      const [answer] = (await client.answers(1)) as Echo[];
      client.end();
      expect(answer?.headers).toEqual({ host: "stub" });
    }));

  test("a header cannot change the method of a request", () =>
    withEcho(async ({ port }) => {
      const client = new RawClient(port);
      await client.send("GET /echo/ HTTP/1.1\r\nHost: stub\r\nX-Stub-Verb: LIST\r\n\r\n");
      await client.send("LIST /echo/ HTTP/1.1\r\nHost: stub\r\nX-Stub-Verb: DELETE\r\n\r\n");
      const answers = (await client.answers(2)) as Echo[];
      client.end();
      expect(answers.map(({ method }) => method)).toEqual(["GET", "LIST"]);
      expect(answers.map(({ headers }) => headers["x-stub-verb"])).toEqual(["LIST", "DELETE"]);
    }));

  test("accepts a client that sends Expect: 100-continue", () =>
    withEcho(async ({ port }) => {
      const client = new RawClient(port);
      await client.send(
        "LIST /echo/ HTTP/1.1\r\nHost: stub\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n",
      );
      await client.send("{}LIST /echo/ HTTP/1.1\r\nHost: stub\r\nConnection: close\r\n\r\n");
      const text = await client.closed();
      expect(text.match(/HTTP\/1\.1 100 Continue/g)).toHaveLength(1);
      expect(text.match(/"method":"LIST"/g)).toHaveLength(2);
    }));

  test.each([
    [
      "two content lengths",
      "POST /echo/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    ],
    [
      "a content length and a transfer encoding",
      "POST /echo/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    ],
    ["a content length that is not a number", "POST /echo/ HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n"],
    [
      "a chunk without a size",
      "POST /echo/ HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nsize\r\n",
    ],
    ["an unknown method", "FETCH /echo/ HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["not HTTP", "what is this\r\n\r\n"],
  ])("returns 400 for an invalid request (%s), and closes the connection", (_what, bytes) =>
    withEcho(async ({ port }) => {
      const client = new RawClient(port);
      await client.send(`${bytes}LIST /echo/ HTTP/1.1\r\nHost: x\r\n\r\n`);
      expect(await client.closed()).toMatch(/^HTTP\/1\.1 400 Bad Request/);
    }),
  );

  test("rejects a request head that exceeds the size limit", () =>
    withEcho(async ({ port }) => {
      const client = new RawClient(port);
      await client.send(`LIST /echo/ HTTP/1.1\r\nX-Long: ${"x".repeat(100_000)}`);
      expect(await client.closed()).toMatch(/^HTTP\/1\.1 (400|431) /);
    }));

  test("does not disturb other methods of the HTTP client of Node.js on a keep-alive connection", () =>
    withEcho(async ({ port }) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (const method of ["PUT", "GET"]) {
        const { promise, resolve } = Promise.withResolvers<string>();
        const request = httpRequest({ agent, port, method, path: "/echo/a" }, (response) => {
          response.setEncoding("utf8");
          let text = "";
          response.on("data", (part) => {
            text += part;
          });
          response.on("end", () => resolve(text));
        });
        request.end(method === "PUT" ? "LIST" : undefined);
        expect(JSON.parse(await promise)).toMatchObject({ method, body: method === "PUT" ? "LIST" : "" });
      }
      agent.destroy();
    }));
});

describe("RequestFraming", () => {
  test("passes all bytes of requests other than LIST unchanged, whatever the packet boundaries", () => {
    fc.assert(
      fc.property(requests, fc.infiniteStream(fc.integer({ min: 1, max: 30 })), (sent, cuts) => {
        const withoutList = sent.filter(({ method }) => method !== "LIST");
        const bytes = withoutList
          .map((one) => written(one.method, one.path, one.body, one.chunkSizes))
          .join("");
        const framing = new RequestFraming("mark: secret");
        let passed = "";
        let at = 0;
        while (at < bytes.length) {
          const next = at + (cuts.next().value ?? 1);
          const cut = Buffer.from(bytes.slice(at, next), "latin1");
          passed += Buffer.concat(framing.pass(cut)).toString("latin1");
          at = next;
        }
        expect(passed + framing.end().toString("latin1")).toBe(bytes);
      }),
    );
  });

  test("buffers the incomplete head of a LIST request, and returns it unchanged when the connection ends", () => {
    const framing = new RequestFraming("mark: secret");
    expect(framing.pass(Buffer.from("LIST /a HTTP/1.1\r\nHost"))).toEqual([]);
    expect(framing.end().toString()).toBe("LIST /a HTTP/1.1\r\nHost");
  });
});

const SCRIPT = join(__dirname, "../../bin/quarterdeck-stub.js");
const FREE = Object.keys(DEFAULT_PORTS).flatMap((name) => [`--${name}-port`, "0"]);

function run(...flags: string[]): ChildProcess {
  return spawn(process.execPath, [SCRIPT, ...flags], { stdio: ["ignore", "pipe", "pipe"] });
}

/** The output and the exit code of a run that ends without a signal. */
async function outcome(...flags: string[]) {
  const child = run(...flags);
  if (child.stdout === null || child.stderr === null) throw new Error("the script has no output");
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { out, err, code };
}

/** The output of the script up to the line that says how to stop it. */
async function printed(child: ChildProcess): Promise<string> {
  let out = "";
  for await (const part of child.stdout ?? []) {
    out += part;
    if (out.includes("Ctrl+C")) return out;
  }
  throw new Error(`the script ended with: ${out}`);
}

describe("quarterdeck-stub", () => {
  test.each(["SIGINT", "SIGTERM"] as const)(
    "prints the addresses and settings that it serves, and exits with 0 on %s",
    async (signal) => {
      const child = run(...FREE);
      const exit = once(child, "exit");
      try {
        const out = await printed(child);
        const printedAddress = (name: string) =>
          new RegExp(`^${name} +(http://127\\.0\\.0\\.1:\\d+)`, "m").exec(out)?.[1] ?? "";
        const addresses = await new StubControl(printedAddress("control")).addresses();
        for (const name of SERVICE_NAMES) {
          expect(printedAddress(name)).toBe(addresses[name]);
          expect(out).toContain(
            `pulumi config set --path --plaintext 'quarterdeck:${name}.address' ${addresses[name]}`,
          );
          expect(out).toContain(`export QUARTERDECK_${name.toUpperCase()}_ADDRESS=${addresses[name]}`);
        }
        const organization = /export QUARTERDECK_WORKSPACES_ORGANIZATION=(\S+)/.exec(out)?.[1];
        const token = /export QUARTERDECK_WORKSPACES_TOKEN=(\S+)/.exec(out)?.[1];
        const { statusCode } = await request(
          `${addresses.workspaces}/api/v2/organizations/${organization}/workspaces`,
          { headers: { authorization: `Bearer ${token}` } },
        );
        expect(statusCode).toBe(200);
      } finally {
        child.kill(signal);
      }
      expect(await exit).toEqual([0, null]);
    },
  );

  test("--help prints the default ports", async () => {
    const { out, code } = await outcome("--help");
    expect(code).toBe(0);
    for (const [name, port] of Object.entries(DEFAULT_PORTS)) {
      expect(out).toMatch(new RegExp(`--${name}-port <port> .*\\(default: ${port}\\)`));
    }
  });

  test.each([
    ["--mesh-port", "x"],
    ["--mesh-port", "65536"],
    ["--speed", "1"],
  ])("rejects %s %s with exit code 2, and prints its usage", async (...flags) => {
    const { err, code } = await outcome(...flags);
    expect(code).toBe(2);
    expect(err).toMatch(new RegExp(`^quarterdeck-stub: .*${flags[0]}[\\s\\S]*Usage: quarterdeck-stub`));
  });

  test("reports the port that is in use, and exits with 1", async () => {
    const stub = await startStub();
    try {
      const { port } = new URL(stub.addresses.secrets);
      const { err, code } = await outcome(...FREE, "--secrets-port", port);
      expect(code).toBe(1);
      expect(err).toMatch(`quarterdeck-stub: the secrets service cannot listen on 127.0.0.1:${port}: `);
    } finally {
      await stub.stop();
    }
  });
});
