import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { TLSSocket } from "node:tls";

/** A request as a test server saw it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** The common name of the certificate that the client showed. */
  readonly clientName?: string;
}

/** A server of one test, on loopback. */
export interface TestServer {
  readonly address: string;
  readonly port: number;
  readonly requests: Seen[];
  /** How many connections were opened so far. */
  readonly connections: () => number;
}

type Answerer = (response: ServerResponse, request: Seen, count: number) => void;

const running: (() => Promise<void>)[] = [];

/** Stops what the test that just ended has started. */
export async function stopServers(): Promise<void> {
  await Promise.all(running.splice(0).map((stop) => stop()));
}

/** Serves http, or https where keys are given; the answerer is told the number of the request, from 1. */
export async function serve(answer: Answerer, tls?: ServerOptions): Promise<TestServer> {
  const requests: Seen[] = [];
  const listener = async (message: IncomingMessage, response: ServerResponse) => {
    let body = "";
    for await (const chunk of message.setEncoding("utf8")) body += chunk;
    const { method = "", url = "", headers } = message;
    const subject =
      message.socket instanceof TLSSocket ? message.socket.getPeerCertificate().subject : undefined;
    const seen = { method, url, headers, body, ...(subject && { clientName: String(subject.CN) }) };
    requests.push(seen);
    answer(response, seen, requests.length);
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  return { ...(await listen(server, tls === undefined ? "http" : "https")), requests };
}

/** Serves bare connections, for answers that no HTTP server would give. */
export async function serveRaw(
  onRequest: (socket: Socket, text: string, count: number) => void,
): Promise<TestServer> {
  const requests: Seen[] = [];
  const server = createTcpServer((socket) => {
    let text = "";
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      if (!text.includes("\r\n\r\n")) return;
      const [method = "", url = ""] = text.split(" ");
      requests.push({ method, url, headers: {}, body: "" });
      onRequest(socket, text, requests.length);
      text = "";
    });
  });
  return { ...(await listen(server, "http")), requests };
}

/** A port of this machine on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createTcpServer();
  const { port } = await listen(server, "http");
  await stopServers();
  return port;
}

/** Answers JSON. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** Has a server of any kind listen, and stopped with the others. */
export async function listen(
  server: Server,
  scheme: "http" | "https",
): Promise<Omit<TestServer, "requests">> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  running.push(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  // A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo;
  return { address: `${scheme}://127.0.0.1:${port}`, port, connections: () => connections };
}
