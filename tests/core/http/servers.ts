import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer, type ServerOptions } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { TLSSocket } from "node:tls";

/** A request that a test server received. */
export interface ReceivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
  /** The common name of the client certificate. */
  readonly clientName?: string;
}

/** A loopback server for one test. */
export interface TestServer {
  readonly address: string;
  readonly port: number;
  readonly requests: ReceivedRequest[];
  /** The number of connections that were opened. */
  readonly connections: () => number;
}

type Answerer = (response: ServerResponse, request: ReceivedRequest, count: number) => void;

const running: (() => Promise<void>)[] = [];

/** Stops all servers of the current test. */
export async function stopServers(): Promise<void> {
  await Promise.all(running.splice(0).map((stop) => stop()));
}

/** Serves HTTP, or HTTPS if `tls` is given; `answer` gets the number of the request, which starts at 1. */
export async function serve(answer: Answerer, tls?: ServerOptions): Promise<TestServer> {
  const requests: ReceivedRequest[] = [];
  const listener = async (message: IncomingMessage, response: ServerResponse) => {
    let body = "";
    for await (const chunk of message.setEncoding("utf8")) body += chunk;
    const { method = "", url = "", headers } = message;
    const subject =
      message.socket instanceof TLSSocket ? message.socket.getPeerCertificate().subject : undefined;
    const received = { method, url, headers, body, ...(subject && { clientName: String(subject.CN) }) };
    requests.push(received);
    answer(response, received, requests.length);
  };
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
  return { ...(await listen(server, tls === undefined ? "http" : "https")), requests };
}

/** Serves raw TCP connections, for responses that no HTTP server would send. */
export async function serveRaw(
  onRequest: (socket: Socket, text: string, count: number) => void,
): Promise<TestServer> {
  const requests: ReceivedRequest[] = [];
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

/** Returns a local port on which connection refused. */
export async function closedPort(): Promise<number> {
  const server = createTcpServer();
  const { port } = await listen(server, "http");
  await stopServers();
  return port;
}

/** Responds with JSON. */
export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

/** Starts a server of any kind, which `stopServers` stops. */
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
  // A TCP server has an address of this type.
  const { port } = server.address() as AddressInfo;
  return { address: `${scheme}://127.0.0.1:${port}`, port, connections: () => connections };
}
