import { Redactor } from "../../../packages/redact";
import { serviceErrorFrom } from "../../../provider/core/http/describe";
import { ServiceError } from "../../../provider/core/http/errors";
import type { HttpRequest } from "../../../provider/core/http/request";
import { everythingPrinted } from "../../redact/readable";
import { clientOf, closeClients, read, write } from "./clients";
import { closedPort, json, serve, serveRaw, stopServers } from "./servers";

afterEach(async () => {
  await closeClients();
  await stopServers();
});

const CANARIES = {
  token: "canary-token",
  listed: "canary-listed",
  address: "canary-address",
  header: "canary-header",
};
const IN_REQUEST = { body: "canary-body", ownHeader: "canary-own-header", cookie: "canary-cookie" };
const ALL = { ...CANARIES, ...IN_REQUEST };

/** A client with a canary in every place, and everything that it printed or threw. */
function canaryClient(address: string) {
  const output: string[] = [];
  const client = clientOf(address.replace("//", `//me:${CANARIES.address}@`), {
    headers: { Authorization: `Bearer ${CANARIES.token}`, "X-Api-Key": CANARIES.header },
    redactor: new Redactor([CANARIES.listed]),
    maxRetries: 1,
    maxResponseBytes: 1000,
    timeoutMs: 50,
    warn: (line) => output.push(line),
    log: (line) => output.push(JSON.stringify(line)),
  });
  return { client, output };
}

const canaries = (request: Partial<HttpRequest>) => ({
  ...request,
  secrets: [IN_REQUEST.body],
  headers: { "X-Session-Token": `Bearer ${IN_REQUEST.ownHeader}`, Cookie: IN_REQUEST.cookie },
  path: `/v1/${IN_REQUEST.body}`,
  query: { key: IN_REQUEST.body, token: CANARIES.listed },
});

const echo = Object.values(ALL).join(" ");
const situations: [string, () => Promise<{ address: string }>][] = [
  ["an error response that echoes them", () => serve((response) => json(response, 400, { errors: [echo] }))],
  ["a 503 that echoes them", () => serve((response) => response.writeHead(503).end(echo))],
  ["a web page that echoes them", () => serve((response) => response.end(`<html><title>${echo}</title>`))],
  ["a response that is too large", () => serve((response) => response.end(echo.repeat(100)))],
  [
    "a redirect that echoes them",
    () =>
      serve((response) =>
        response
          .writeHead(301, { location: `http://x:${echo.split(" ")[0]}@y/${encodeURIComponent(echo)}` })
          .end(),
      ),
  ],
  [
    "a Content-Encoding that echoes them",
    () => serve((response) => response.writeHead(200, { "content-encoding": echo }).end("x")),
  ],
  [
    "a truncated response",
    () =>
      serveRaw((socket) =>
        socket.end(`HTTP/1.1 200 OK\r\nx: ${echo}\r\ncontent-length: 9999\r\n\r\n${echo}`),
      ),
  ],
  ["a response that is not HTTP", () => serveRaw((socket) => socket.end(`${echo}\r\n\r\n`))],
  ["a server that does not respond", () => serve(() => {})],
  ["an unreachable server", async () => ({ address: `http://127.0.0.1:${await closedPort()}` })],
];

describe("no error, warning or log line contains secrets after", () => {
  test.each(situations)("%s", async (_, start) => {
    const { address } = await start();
    const { client, output } = canaryClient(address);
    for (const make of [read, write]) {
      const request = make(canaries({}));
      try {
        const answer = await client.send(request);
        const reading = { service: "scheduler", words: ({ text }: { text: string }) => text };
        const error = serviceErrorFrom(request, answer, reading);
        output.push(everythingPrinted(error));
      } catch (error) {
        expect(error).toBeInstanceOf(ServiceError);
        output.push(everythingPrinted(error));
      }
    }
    const text = output.join("\n");
    expect(text).toContain("[secret]");
    for (const canary of Object.values(ALL)) {
      expect(text).not.toContain(canary);
      expect(text).not.toContain(Buffer.from(canary).toString("base64").replace(/=+$/, ""));
    }
  });
});
