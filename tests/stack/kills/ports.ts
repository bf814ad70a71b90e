import { getSubchannelPool } from "@grpc/grpc-js/build/src/subchannel-pool";

/** What the gRPC library keeps of every address that this process has been connected to. */
interface Pool {
  pool: { readonly [target: string]: readonly { readonly subchannel: { unref(): void } }[] };
}

/**
 * Runs a command as though this process had never known an engine that was killed. It runs the programs of hundreds of them:
 * the library takes the port that one of those had for lost, for up to two minutes, and a program whose engine has that port
 * by then registers nothing, without a word. A program of its own process never meets that.
 */
export function amongLiving<Ran>(run: () => Promise<Ran>): Promise<Ran> {
  // The library has no public way to do it.
  const known = getSubchannelPool(true) as unknown as Pool;
  for (const { subchannel } of Object.values(known.pool).flat()) subchannel.unref();
  known.pool = {};
  return run();
}
