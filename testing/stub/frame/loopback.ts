import type { Server } from "node:net";

/** The only address that the mock servers listen on. */
const LOOPBACK = "127.0.0.1";

/**
 * Listens on a loopback port, a free one for 0, and returns the address.
 * @throws Error that names `purpose` and the port if the port is in use.
 */
export async function listen(server: Server, port: number, purpose: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject);
  server.listen(port, LOOPBACK, resolve);
  try {
    await promise;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${purpose} cannot listen on ${LOOPBACK}:${port}: ${reason}`, { cause: error });
  }
  server.off("error", reject);
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error(`${purpose} has no port`);
  return `http://${LOOPBACK}:${address.port}`;
}

/** Resolves once the server is closed and has no connections; immediately if it never listened. */
export async function whenClosed(server: Server): Promise<void> {
  if (!server.listening) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  await promise;
}
