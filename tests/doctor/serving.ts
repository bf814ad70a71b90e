import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What a server answers. */
export interface Served {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A server that answers what it is told, by method and path. */
export async function serving(answer: (request: string) => Served) {
  const server = createServer((request, response) => {
    request.resume();
    const path = String(request.url).split("?")[0];
    const { status = 200, headers = {}, body = {} } = answer(`${request.method} ${path}`);
    const text = typeof body === "string" ? body : JSON.stringify(body);
    response.writeHead(status, {
      "content-type": typeof body === "string" ? "text/plain" : "application/json",
      ...headers,
    });
    response.end(text);
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
