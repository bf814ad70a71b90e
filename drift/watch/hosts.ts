import type { Host } from "../../provider/core/bridge/call";
import type { Provider } from "../../provider/core/bridge/provider";
import { createClient } from "../../provider/core/http/client";
import type { Service } from "../../provider/core/language/service";
import type { Shared } from "../../provider/core/language/stepInput";
import type { StackNames } from "../../provider/core/requests/userAgent";
import { readOnlyProvider, readOnlyProviders } from "../../stacks/readOnly";
import type { ResourceSettings } from "../../stacks/settings";

/** Each look by itself: what another one was answered may be older than what this one looks for. */
const NOTHING_SHARED: Shared = { kept: (_, make) => make() };

/** What the looks of one round share. */
function sharedInRound(): (service: Service) => Shared {
  const kept = new Map<string, object>();
  return ({ name }) => ({
    kept<Kept extends object>(key: string, make: () => Kept): Kept {
      const own = `${name} ${key}`;
      // Under a key everybody keeps the same.
      const value = (kept.get(own) as Kept | undefined) ?? make();
      kept.set(own, value);
      return value;
    },
  });
}

/** A way to make hosts of settings, whose looks share what those of a round may. */
export type HostOf = (settings: ResourceSettings) => Host;

/** The connections of a watch: all of them only read. */
export class Hosts {
  private readonly providerOf: (settings: ResourceSettings) => Provider;

  constructor(
    warn: ((text: string) => void) | undefined,
    private readonly stack: StackNames,
  ) {
    this.providerOf = readOnlyProviders({ warn, stack });
  }

  /** For looks at single resources, each by itself. */
  readonly alone: HostOf = (settings) => hostWith(this.providerOf(settings), () => NOTHING_SHARED);

  /** For a round of looks, which share the lists that they are found in. */
  round(): HostOf {
    const shared = sharedInRound();
    return (settings) => hostWith(this.providerOf(settings), shared);
  }

  /** For one list that is waited for: it keeps a connection to itself, and tells a failure at once. */
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
    unforetold: provider.unforetold,
    going: provider.going,
    places: provider.places,
    secretAt: provider.secretAt,
    connection: (service, name) => provider.connection(service, name),
    shared,
    tell: (told) => {
      // What a look tells of an object stands in its report, and would be kept for as long as the watch goes on.
      if (told.about === undefined) provider.tell(told);
    },
  };
}
