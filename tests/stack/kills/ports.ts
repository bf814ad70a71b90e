import { getSubchannelPool } from "@grpc/grpc-js/build/src/subchannel-pool";

/** The gRPC library's records of every address that this process has connected to. */
interface Pool {
  pool: { readonly [target: string]: readonly { readonly subchannel: { unref(): void } }[] };
}

/**
 * Runs a command as if this process had never connected to a killed engine. It runs the programs of hundreds of
 * engines. For up to two minutes, the library treats the port of a killed engine as unreachable, and the program of a
 * new engine on that port silently registers nothing. A program in its own process is not affected.
 */
export function amongLiving<Ran>(run: () => Promise<Ran>): Promise<Ran> {
  // The library has no public function for this.
  const known = getSubchannelPool(true) as unknown as Pool;
  for (const { subchannel } of Object.values(known.pool).flat()) subchannel.unref();
  known.pool = {};
  return run();
}
