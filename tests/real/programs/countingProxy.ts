import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";

/** An HTTP proxy on loopback that counts the requests that it passes on. */
export async function countingProxy(address: string) {
  const { hostname, port } = new URL(address);
  let requests = 0;
  const server = createServer((asked, answered) => {
    requests += 1;
    const { method, url: path, headers } = asked;
    const passedOn = request({ hostname, port, method, path, headers }, (answer) => {
      answered.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(answered);
    });
    passedOn.once("error", () => answered.destroy());
    asked.pipe(passedOn);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    // A TCP server has an address with a port.
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The number of requests since the last call. */
    count: () => {
      const count = requests;
      requests = 0;
      return count;
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}
