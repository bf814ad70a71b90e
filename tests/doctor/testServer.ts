import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A response. */
export interface Served {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A request. */
export interface Asked {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Starts a server with the given responses, by method and path. */
export async function startTestServer(answer: (request: string, asked: Asked) => Served) {
  const server = createServer(async (request, response) => {
    const path = String(request.url).split("?")[0];
    const asked = { headers: request.headers, body: await text(request) };
    const { status = 200, headers = {}, body = {} } = answer(`${request.method} ${path}`, asked);
    const answered = typeof body === "string" ? body : JSON.stringify(body);
    response.writeHead(status, {
      "content-type": typeof body === "string" ? "text/plain" : "application/json",
      ...headers,
    });
    response.end(answered);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
