import { catalog } from "../provider/catalog";
import type { Host } from "../provider/core/bridge/call";
import { createClient } from "../provider/core/http/client";
import { ownMember } from "../provider/core/value/json";
import { resourcesIn, type StackResource, stackOf, tokenOf } from "../stacks/deployment";
import { readOnlyProviders } from "../stacks/readOnly";
import { SettingsOfState } from "../stacks/settings";
import { type Named, wordOf } from "./choice";
import { countsOf, type DriftReport, type MovedField, type ResourceReport } from "./report";
import { verdictOf } from "./verdict";

/** What is looked at, and how. */
export interface LookOptions {
  /** An exported state, its secrets shown: its text, or that in UTF-8. */
  readonly state: string | Uint8Array;
  /** The stack's configuration by full keys, `quarterdeck:scheduler`; where it is left out, the state's own is used. */
  readonly configuration?: ReadonlyMap<string, string>;
  /** The environment; this process's own where it is left out. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether a resource is looked at; all of this package's are where it is left out. */
  readonly only?: (resource: Named) => boolean;
  /** Is told how far the look is. */
  readonly progress?: (done: number, all: number) => void;
  /** Is told what the services' connections have to say: plain text in the clear, a certificate that is not checked. */
  readonly warn?: (text: string) => void;
  readonly signal?: AbortSignal;
}

/** How many resources are looked at at once: of as many the lists that they share are known soon. */
const AT_ONCE = 64;

/**
 * Compares every resource of an exported state with its service, and writes nothing anywhere: whatever would change
 * something is refused before it is sent. The verdicts are those of `pulumi refresh`.
 * @throws UnreadableState where the text is no exported state with its secrets shown
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
  const ours = chosen(resources, only);
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

/** Those of a state's resources that are looked at. */
export function chosen(
  resources: readonly StackResource[],
  only: (resource: Named) => boolean,
): readonly StackResource[] {
  return resources.filter((resource) => {
    const type = tokenOf(resource.type);
    const { urn, name, id, isExternal } = resource;
    return type !== undefined && !isExternal && only({ urn, type, name, id });
  });
}

async function reportOf(resource: StackResource, host: Host, settings: string): Promise<ResourceReport> {
  const { mayPass: _, ...report } = await lookedAt(resource, host, settings);
  return report;
}

/** What a look at one resource finds; `mayPass` where it is the way to its service that fails. */
export async function lookedAt(
  resource: StackResource,
  host: Host,
  settings: string,
): Promise<ResourceReport & { readonly mayPass?: true }> {
  const { urn, name, id } = resource;
  const type = tokenOf(resource.type) ?? resource.type;
  const about = { urn, type, name, id };
  const definition = ownMember(catalog, type)?.();
  if (definition === undefined)
    return { ...about, verdict: "unreadable", why: `this package has no resource ${type}`, settings };
  const found = await verdictOf(definition, host, resource);
  if (found.verdict !== "drifted") return { ...about, ...found, settings };
  const fields = found.fields.map(
    ({ isIgnored, ...field }): MovedField => (isIgnored ? { ...field, ignored: "program" } : field),
  );
  const { when, why } = found;
  return {
    ...about,
    verdict: wordOf(fields),
    fields,
    ...(when !== undefined && { when }),
    ...(why !== undefined && { why }),
    settings,
  };
}

/** Does something for each, so many at once, and answers in their order. */
async function inTurns<T, R>(all: readonly T[], atOnce: number, run: (each: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < all.length) {
      const at = next++;
      // It is smaller than the length.
      results[at] = await run(all[at] as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, lane));
  return results;
}
