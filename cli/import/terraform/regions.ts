import type { Provider } from "../../../provider/core/bridge/provider";
import { callFunction } from "../../../provider/core/functions/call";
import { functionOf } from "../../../provider/functions";

/**
 * The region of Nomad's agent if it knows no other region: then no ID and no program has to name it. Undefined if there are
 * several, or if the agent does not answer.
 */
export async function onlyRegion(
  host: Provider,
  connection: string | undefined,
): Promise<string | undefined> {
  const getRegions = functionOf("scheduler:getRegions");
  const caller = { connection: host.connection(getRegions.service, connection), log: () => {} };
  try {
    const { regions } = (await callFunction(getRegions, {}, caller)).result;
    return Array.isArray(regions) && regions.length === 1 ? String(regions[0]) : undefined;
  } catch {
    // The IDs then contain the region, which is never wrong.
    return undefined;
  }
}
