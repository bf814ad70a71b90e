import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { type Cluster, until } from "./cluster";
import type { Begun } from "./server";

/** One address that always leads to the active server, whichever that is: where people are who know of no cluster. */
export async function startFront(begun: Begun, cluster: Cluster): Promise<string> {
  const open = new Set<Socket>();
  const keep = (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket)).on("error", () => socket.destroy());
    return socket;
  };
  const front = createServer(async (socket) => {
    keep(socket);
    try {
      const behind = keep(await active(cluster));
      socket.once("close", () => behind.destroy());
      behind.once("close", () => socket.destroy());
      socket.pipe(behind).pipe(socket);
    } catch {
      socket.destroy();
    }
  });
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.1", resolve));
  begun.add(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => front.close(resolve));
  });
  // It listens on a port.
  return `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
}

async function active(cluster: Cluster): Promise<Socket> {
  let port = 0;
  await until("a server is active", async () => {
    port = (await cluster.active()).ports.http ?? 0;
    return true;
  });
  return connect(port, "127.0.0.1");
}
