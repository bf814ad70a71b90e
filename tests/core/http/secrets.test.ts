import { Redactor } from "../../../packages/redact";
import { serviceErrorFrom } from "../../../provider/core/http/describe";
import { ServiceError } from "../../../provider/core/http/errors";
import type { HttpRequest } from "../../../provider/core/http/request";
import { everythingSaid } from "../../redact/readable";
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

/** A client that holds a canary in every place, and all that it said. */
function canaryClient(address: string) {
  const said: string[] = [];
  const client = clientOf(address.replace("//", `//me:${CANARIES.address}@`), {
    headers: { Authorization: `Bearer ${CANARIES.token}`, "X-Api-Key": CANARIES.header },
    redactor: new Redactor([CANARIES.listed]),
    maxRetries: 1,
    maxResponseBytes: 1000,
    timeoutMs: 50,
    warn: (line) => said.push(line),
    log: (line) => said.push(JSON.stringify(line)),
  });
  return { client, said };
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
  [
    "a service that echoes them in its refusal",
    () => serve((response) => json(response, 400, { errors: [echo] })),
  ],
  ["a service that fails", () => serve((response) => response.writeHead(503).end(echo))],
  ["a page that echoes them", () => serve((response) => response.end(`<html><title>${echo}</title>`))],
  ["an answer that is too large", () => serve((response) => response.end(echo.repeat(100)))],
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
    "an encoding that echoes them",
    () => serve((response) => response.writeHead(200, { "content-encoding": echo }).end("x")),
  ],
  [
    "a torn answer",
    () =>
      serveRaw((socket) =>
        socket.end(`HTTP/1.1 200 OK\r\nx: ${echo}\r\ncontent-length: 9999\r\n\r\n${echo}`),
      ),
  ],
  ["an answer that is no HTTP", () => serveRaw((socket) => socket.end(`${echo}\r\n\r\n`))],
  ["silence", () => serve(() => {})],
  ["no server at all", async () => ({ address: `http://127.0.0.1:${await closedPort()}` })],
];

describe("no secret comes out of", () => {
  test.each(situations)("%s", async (_, start) => {
    const { address } = await start();
    const { client, said } = canaryClient(address);
    for (const make of [read, write]) {
      const request = make(canaries({}));
      try {
        const answer = await client.send(request);
        const reading = { service: "scheduler", words: ({ text }: { text: string }) => text };
        const error = serviceErrorFrom(request, answer, reading);
        said.push(everythingSaid(error));
      } catch (error) {
        expect(error).toBeInstanceOf(ServiceError);
        said.push(everythingSaid(error));
      }
    }
    const text = said.join("\n");
    expect(text).toContain("[secret]");
    for (const canary of Object.values(ALL)) {
      expect(text).not.toContain(canary);
      expect(text).not.toContain(Buffer.from(canary).toString("base64").replace(/=+$/, ""));
    }
  });
});
