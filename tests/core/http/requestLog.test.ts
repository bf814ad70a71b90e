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
const throwWarning = (text: string) => {
  throw new Error(text);
};

describe("log line", () => {
  test("is written for each attempt, with its request, result, duration and wait", async () => {
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
  ])("of a response with status %d contains the error class %s", async (status, name) => {
    const lines: RequestLine[] = [];
    const server = await serve((response) => json(response, status, {}));
    await clientOf(server.address, { log: (line) => lines.push(line) }).send(write());
    expect(lines).toEqual([expect.objectContaining({ status, error: name })]);
  });

  test("contains the error class from the service's errorKind even if the status is 200", async () => {
    const lines: RequestLine[] = [];
    const server = await serve((response) => json(response, 200, false));
    const errorKind = () => "checkAndSetLost" as const;
    await clientOf(server.address, { log: (line) => lines.push(line), errorKind }).send(write());
    expect(lines).toEqual([expect.objectContaining({ status: 200, error: "CheckAndSetLost" })]);
  });

  test("of an attempt without a response contains an error class and no status", async () => {
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

  test("contains the request ID that the server returns in a header or in the body", async () => {
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

  test("contains the trace ID and the span ID that the attempt sent", async () => {
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

  test("contains no secret in its path, object or server request ID", async () => {
    const lines: RequestLine[] = [];
    const secret = "kept-canary-51";
    const server = await serve((response) =>
      response.writeHead(403, { "x-request-id": `r-${secret}` }).end("{}"),
    );
    const label = { ...LABEL, object: `Nomad job "${secret}"` };
    const client = clientOf(server.address, {
      log: (line) => lines.push(line),
      redactor: new Redactor([secret]),
    });
    await client.send(read({ label, path: `/v1/job/${secret}` }));
    expect(JSON.stringify(lines)).not.toContain(secret);
    expect(lines[0]).toMatchObject({ path: "/v1/job/[secret]" });
  });
});

describe("log file", () => {
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

  test("is appended line by line, and only its owner may read it", () => {
    const file = join(folder, "requests.log");
    for (const attempt of [1, 2]) logTo(file, throwWarning)({ ...LINE, attempt });
    expect(linesIn(readFileSync(file, "utf8"))).toEqual([LINE, { ...LINE, attempt: 2 }]);
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("is created again after a rotation", () => {
    const file = join(folder, "rotated.log");
    const log = logTo(file, throwWarning);
    log(LINE);
    renameSync(file, `${file}.1`);
    log({ ...LINE, attempt: 2 });
    expect(linesIn(readFileSync(file, "utf8"))).toEqual([{ ...LINE, attempt: 2 }]);
  });

  test("receives complete lines from several concurrent writers", async () => {
    const file = join(folder, "shared.log");
    const text = JSON.stringify({ ...LINE, path: `/${"x".repeat(3000)}` });
    // Threads write to the file as processes do: each through its own descriptor.
    const writer = `const { logTo } = require("./requestLog");
      const { parentPort, workerData } = require("node:worker_threads");
      const log = logTo(workerData.file, (text) => parentPort.postMessage(text));
      for (let attempt = 1; attempt <= 300; attempt++) log({ ...JSON.parse(workerData.text), attempt });`;
    const script = writer.replace(
      "./requestLog",
      join(__dirname, "../../../dist/provider/core/http/requestLog.js").replaceAll("\\", "/"),
    );
    const warnings: string[] = [];
    await Promise.all(
      [1, 2, 3, 4].map(
        () =>
          new Promise((resolve, reject) => {
            const thread = new Worker(script, { eval: true, workerData: { file, text } });
            thread.on("message", (warning: string) => warnings.push(warning));
            thread.once("error", reject).once("exit", resolve);
          }),
      ),
    );
    expect(warnings).toEqual([]);
    const lines = linesIn(readFileSync(file, "utf8"));
    expect(lines).toHaveLength(1200);
    for (const line of lines) expect(schemaErrors(line)).toEqual([]);
  });

  test("that cannot be written causes one warning and fails no request", async () => {
    const warnings: string[] = [];
    const log = logTo(join(folder, "no-such-folder", "requests.log"), (text) => warnings.push(text));
    const server = await serve((response) => json(response, 200, {}));
    const client = clientOf(server.address, { log });
    expect((await client.send(read())).status).toBe(200);
    expect((await client.send(read())).status).toBe(200);
    expect(warnings).toEqual([
      expect.stringMatching(`${LOG_VARIABLE}: ".*requests.log" cannot be written \\(ENOENT\\)`),
    ]);
  });

  test("that is a folder causes one warning", () => {
    const warnings: string[] = [];
    chmodSync(folder, 0o700);
    const log = logTo(folder, (text) => warnings.push(text));
    log(LINE);
    log(LINE);
    expect(warnings).toHaveLength(1);
  });
});
