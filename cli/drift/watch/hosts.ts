import type { Host } from "../../../provider/core/bridge/call";
import type { Provider } from "../../../provider/core/bridge/provider";
import { createClient } from "../../../provider/core/http/client";
import type { Service } from "../../../provider/core/language/service";
import type { Shared } from "../../../provider/core/language/stepInput";
import type { StackNames } from "../../../provider/core/requests/userAgent";
import { readOnlyProvider, readOnlyProviders } from "../../state/readOnly";
import type { ResourceSettings } from "../../state/settings";

/** Shares nothing between checks: a cached response may be older than the change that this check looks for. */
const NOTHING_SHARED: Shared = { kept: (_, make) => make() };

/** Shares responses between the checks of one round. */
function sharedInRound(): (service: Service) => Shared {
  const kept = new Map<string, object>();
  return ({ name }) => ({
    kept<Kept extends object>(key: string, make: () => Kept): Kept {
      const own = `${name} ${key}`;
      // Every caller stores the same type under a key.
      const value = (kept.get(own) as Kept | undefined) ?? make();
      kept.set(own, value);
      return value;
    },
  });
}

/** Creates a host from settings; its checks share their responses if the round allows it. */
export type HostOf = (settings: ResourceSettings) => Host;

/** The read-only connections of a watch. */
export class Hosts {
  private readonly providerOf: (settings: ResourceSettings) => Provider;

  constructor(
    warn: ((text: string) => void) | undefined,
    private readonly stack: StackNames,
  ) {
    this.providerOf = readOnlyProviders({ warn, stack });
  }

  /** For checks of single resources, which share nothing. */
  readonly alone: HostOf = (settings) => hostWith(this.providerOf(settings), () => NOTHING_SHARED);

  /** For a round of checks, which share lists. */
  round(): HostOf {
    const shared = sharedInRound();
    return (settings) => hostWith(this.providerOf(settings), shared);
  }

  /** For one blocking query: it has its own connection, and reports a failure without a retry. */
  waiting({ configuration }: ResourceSettings): Host {
    return readOnlyProvider(configuration, {
      stack: this.stack,
      createClient: (making) => createClient({ ...making, maxRetries: 0 }),
    });
  }
}

function hostWith(provider: Provider, shared: Host["shared"]): Host {
  return {
    adoptsIdentical: false,
    readings: provider.readings,
    unavailableScopes: provider.unavailableScopes,
    going: provider.going,
    places: provider.places,
    writes: provider.writes,
    secretAt: provider.secretAt,
    connection: (service, name) => provider.connection(service, name),
    shared: shared,
    tell: (told) => {
      // Warnings about an object are in its report. Stored here, they would pile up until the watch ends.
      if (told.about === undefined) provider.tell(told);
    },
  };
}
