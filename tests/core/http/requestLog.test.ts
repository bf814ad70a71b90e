import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { Redactor } from "../../../packages/redact";
import { LOG_VARIABLE, logTo, type RequestLine, traceContext } from "../../../provider/core/http/requestLog";
import { linesIn, schemaErrors } from "../../requestLog";
import { clientOf, closeClients, read, rejection, testRuntime, write } from "./clients";
import { closedPort, json, serve, stopServers } from "./servers";

const folder = mkdtempSync(join(tmpdir(), "quarterdeck-log-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(async () => {
  await closeClients();
  await stopServers();
});

const LABEL = {
  definition: "scheduler:Job",
  step: "update",
  object: "urn:pulumi:prod::shop::t::web",
} as const;
const complaint = (text: string) => {
  throw new Error(text);
};

describe("a line", () => {
  test("is written for each try, with what it was for, what came of it, and how long both sides took", async () => {
    const lines: RequestLine[] = [];
    const server = await serve((response, _, count) => json(response, count < 3 ? 503 : 200, {}));
    const runtime = testRuntime();
    const client = clientOf(server.address, { log: (line) => lines.push(line), runtime });
    await client.send(read({ label: LABEL, query: { namespace: "x" } }));
    const requestId = server.requests[0]?.headers["x-request-id"];
    const same = {
      object: LABEL.object,
      definition: "scheduler:Job",
      step: "update",
      method: "GET",
      service: "scheduler",
      path: "/v1/job/web",
      ms: 0,
      requestId,
    };
    const [first = 0, second = 0] = runtime.slept;
    expect(Math.min(first, second)).toBeGreaterThan(0);
    const start = Date.UTC(2026, 0, 1);
    const at = (waited: number) => new Date(start + waited).toISOString();
    expect(lines).toEqual([
      { at: at(0), ...same, attempt: 1, status: 503, waitedMs: 0, error: "ServiceFailed" },
      { at: at(first), ...same, attempt: 2, status: 503, waitedMs: first, error: "ServiceFailed" },
      { at: at(first + second), ...same, attempt: 3, status: 200, waitedMs: second },
    ]);
    for (const line of lines) expect(schemaErrors(line)).toEqual([]);
  });

  test.each([
    [403, "Forbidden"],
    [404, "NotFound"],
    [422, "Invalid"],
    [500, "ServiceFailed"],
    [302, "Refused"],
  ])("of an answer with %d names the class %s", async (status, name) => {
    const lines: RequestLine[] = [];
    const server = await serve((response) => json(response, status, {}));
    await clientOf(server.address, { log: (line) => lines.push(line) }).send(write());
    expect(lines).toEqual([expect.objectContaining({ status, error: name })]);
  });

  test("names what a service means by an answer whose status does not say it", async () => {
    const lines: RequestLine[] = [];
    const server = await serve((response) => json(response, 200, false));
    const errorKind = () => "checkAndSetLost" as const;
    await clientOf(server.address, { log: (line) => lines.push(line), errorKind }).send(write());
    expect(lines).toEqual([expect.objectContaining({ status: 200, error: "CheckAndSetLost" })]);
  });

  test("of a try without an answer has its class and no status", async () => {
    const lines: RequestLine[] = [];
    const log = (line: RequestLine) => lines.push(line);
    const address = `http://127.0.0.1:${await closedPort()}`;
    await rejection(clientOf(address, { log, maxRetries: 0 }).send(write()));
    const server = await serve((response) => response.destroy());
    await rejection(clientOf(server.address, { log }).send(write()));
    await rejection(clientOf(server.address, { log, maxRetries: 0 }).send(read()));
    expect(lines.map(({ error, status }) => [error, status])).toEqual([
      ["Unreachable", undefined],
      ["UnclearAnswer", undefined],
      ["ConnectionLost", undefined],
    ]);
    for (const line of lines) expect(schemaErrors(line)).toEqual([]);
  });

  test("has the service's own id, where it answers one", async () => {
    const lines: RequestLine[] = [];
    const server = await serve((response) =>
      response.writeHead(200, { "x-request-id": "req-42" }).end('{"request_id":"7f-1"}'),
    );
    const log = (line: RequestLine) => lines.push(line);
    await clientOf(server.address, { log }).send(read());
    const requestIdIn = ({ json: body }: { json: unknown }) => (body as { request_id: string }).request_id;
    await clientOf(server.address, { log, requestIdIn }).send(read());
    expect(lines.map(({ serviceRequestId }) => serviceRequestId)).toEqual(["req-42", "7f-1"]);
  });

  test("names the trace and the span that went with its try", async () => {
    const lines: RequestLine[] = [];
    const server = await serve((response) => json(response, 200, {}));
    const trace = traceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    await clientOf(server.address, { log: (line) => lines.push(line) }).send(
      read({ label: { ...LABEL, trace } }),
    );
    const [line] = lines;
    expect(server.requests[0]?.headers.traceparent).toBe(`00-${line?.traceId}-${line?.spanId}-01`);
    expect(schemaErrors(line)).toEqual([]);
  });

  test("masks what is secret in a path, an object and an id of the service's", async () => {
    const lines: RequestLine[] = [];
    const secret = "kept-canary-51";
    const server = await serve((response) =>
      response.writeHead(403, { "x-request-id": `r-${secret}` }).end("{}"),
    );
    const label = { ...LABEL, object: `scheduler:Job "${secret}"` };
    const client = clientOf(server.address, {
      log: (line) => lines.push(line),
      redactor: new Redactor([secret]),
    });
    await client.send(read({ label, path: `/v1/job/${secret}` }));
    expect(JSON.stringify(lines)).not.toContain(secret);
    expect(lines[0]).toMatchObject({ path: "/v1/job/[secret]" });
  });
});

describe("a log in a file", () => {
  const LINE: RequestLine = {
    at: "2026-01-01T00:00:00.000Z",
    definition: "scheduler:Job",
    step: "read",
    attempt: 1,
    method: "GET",
    service: "scheduler",
    path: "/v1/job/web",
    ms: 1,
    waitedMs: 0,
    requestId: "0d5c2a3e-1c6b-4a2c-9a54-0b3f7de2f5a1",
  };

  test("is appended to, each line whole, and only its owner may read it", () => {
    const file = join(folder, "requests.log");
    for (const attempt of [1, 2]) logTo(file, complaint)({ ...LINE, attempt });
    expect(linesIn(readFileSync(file, "utf8"))).toEqual([LINE, { ...LINE, attempt: 2 }]);
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("is made anew where it was moved away", () => {
    const file = join(folder, "rotated.log");
    const log = logTo(file, complaint);
    log(LINE);
    renameSync(file, `${file}.1`);
    log({ ...LINE, attempt: 2 });
    expect(linesIn(readFileSync(file, "utf8"))).toEqual([{ ...LINE, attempt: 2 }]);
  });

  test("takes the lines of several writers at the same time, each whole", async () => {
    const file = join(folder, "shared.log");
    const text = JSON.stringify({ ...LINE, path: `/${"x".repeat(3000)}` });
    // Threads write to the file as processes do: by descriptors of their own.
    const writer = `const { logTo } = require("./requestLog");
      const { parentPort, workerData } = require("node:worker_threads");
      const log = logTo(workerData.file, (text) => parentPort.postMessage(text));
      for (let attempt = 1; attempt <= 300; attempt++) log({ ...JSON.parse(workerData.text), attempt });`;
    const script = writer.replace(
      "./requestLog",
      join(__dirname, "../../../dist/provider/core/http/requestLog.js").replaceAll("\\", "/"),
    );
    const complaints: string[] = [];
    await Promise.all(
      [1, 2, 3, 4].map(
        () =>
          new Promise((resolve, reject) => {
            const thread = new Worker(script, { eval: true, workerData: { file, text } });
            thread.on("message", (told: string) => complaints.push(told));
            thread.once("error", reject).once("exit", resolve);
          }),
      ),
    );
    expect(complaints).toEqual([]);
    const lines = linesIn(readFileSync(file, "utf8"));
    expect(lines).toHaveLength(1200);
    for (const line of lines) expect(schemaErrors(line)).toEqual([]);
  });

  test("that cannot be written is said once, and fails nothing", async () => {
    const said: string[] = [];
    const log = logTo(join(folder, "no-such-folder", "requests.log"), (text) => said.push(text));
    const server = await serve((response) => json(response, 200, {}));
    const client = clientOf(server.address, { log });
    expect((await client.send(read())).status).toBe(200);
    expect((await client.send(read())).status).toBe(200);
    expect(said).toEqual([
      expect.stringMatching(`${LOG_VARIABLE}: ".*requests.log" cannot be written \\(ENOENT\\)`),
    ]);
  });

  test("that is a folder is said just so", () => {
    const said: string[] = [];
    chmodSync(folder, 0o700);
    const log = logTo(folder, (text) => said.push(text));
    log(LINE);
    log(LINE);
    expect(said).toHaveLength(1);
  });
});
