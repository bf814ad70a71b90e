import type { Host } from "../../provider/core/bridge/call";
import { createClient } from "../../provider/core/http/client";
import { resourcesIn, type StackResource, stackOf } from "../state/deployment";
import { readOnlyProviders } from "../state/readOnly";
import { SettingsOfState } from "../state/settings";
import { checkResource, selectResources } from "./checkResource";
import type { Named } from "./choice";
import { countsOf, type DriftReport, type ResourceReport } from "./report";

/** The input and the options of a drift check. */
export interface LookOptions {
  /** An exported state with its secrets in plain text, as a string or in UTF-8. */
  readonly state: string | Uint8Array;
  /** The stack's configuration by full keys, `quarterdeck:scheduler`. Default: the configuration in the state. */
  readonly configuration?: ReadonlyMap<string, string>;
  /** The environment. Default: the environment of this process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Selects the resources to check. Default: all resources of this package. */
  readonly only?: (resource: Named) => boolean;
  /** Reports the progress of the check. */
  readonly progress?: (done: number, all: number) => void;
  /** Receives warnings about connections, such as unencrypted HTTP or an unverified certificate. */
  readonly warn?: (text: string) => void;
  readonly signal?: AbortSignal;
}

/** The number of resources read concurrently. It is high so that resources in the same list can share one request. */
const AT_ONCE = 64;

/**
 * Compares every resource of an exported state with its server. It sends no request that would change anything. The verdicts
 * are those of `pulumi refresh`.
 * @throws UnreadableState if the text is not an exported state with its secrets in plain text
 */
export async function look(options: LookOptions): Promise<DriftReport> {
  const began = Date.now();
  const resources = resourcesIn(options.state);
  const names = stackOf(resources);
  const { env = process.env, configuration, only = () => true, progress = () => {} } = options;
  const settings = new SettingsOfState(resources, { configuration, env });
  const counter = { requests: 0 };
  const hostOf = readOnlyProviders({
    warn: options.warn,
    stack: names,
    createClient: (making) => {
      const client = createClient(making);
      return {
        ...client,
        send: (request) => {
          counter.requests += 1;
          return client.send(request);
        },
      };
    },
  });
  const ours = selectResources(resources, only);
  let done = 0;
  const reports = await inTurns(ours, AT_ONCE, async (resource) => {
    options.signal?.throwIfAborted();
    const own = settings.of(resource);
    const report = await reportOf(resource, hostOf(own), own.source);
    done += 1;
    progress(done, ours.length);
    return report;
  });
  const at = new Date(began).toISOString();
  const seconds = (Date.now() - began) / 1000;
  return {
    ...(names.project && { project: names.project }),
    ...(names.stack && { stack: names.stack }),
    at,
    seconds,
    requests: counter.requests,
    counts: countsOf(reports),
    resources: reports,
  };
}

async function reportOf(resource: StackResource, host: Host, settings: string): Promise<ResourceReport> {
  const { mayPass: _, ...report } = await checkResource(resource, host, settings);
  return report;
}

/** Runs a function for each element with limited concurrency, and returns the results in the order of the elements. */
async function inTurns<T, R>(all: readonly T[], atOnce: number, run: (each: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < all.length) {
      const at = next++;
      // The index is below the length.
      results[at] = await run(all[at] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, lane));
  return results;
}
