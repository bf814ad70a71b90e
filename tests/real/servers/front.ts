import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { type Cluster, until } from "./cluster";
import type { Teardown } from "./server";

/**
 * Starts a TCP proxy that always connects to the active server, as users without knowledge of the cluster reach it.
 */
export async function startProxy(teardown: Teardown, cluster: Cluster): Promise<string> {
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket)).on("error", () => socket.destroy());
    return socket;
  };
  const proxy = createServer(async (socket) => {
    track(socket);
    try {
      const upstream = track(await active(cluster));
      socket.once("close", () => upstream.destroy());
      upstream.once("close", () => socket.destroy());
      socket.pipe(upstream).pipe(socket);
    } catch {
      socket.destroy();
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  teardown.add(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => proxy.close(resolve));
  });
  // A TCP server has an address with a port.
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

async function active(cluster: Cluster): Promise<Socket> {
  let port = 0;
  await until("a server is active", async () => {
    port = (await cluster.active()).ports.http ?? 0;
    return true;
  });
  return connect(port, "127.0.0.1");
}
