import { Provider, type ProviderOptions } from "../provider/core/bridge/provider";
import { systemRuntime } from "../provider/core/http/timeBudget";
import { beforeEnd } from "../provider/core/requests/context";
import type { Configuration } from "../provider/core/requests/given";
import type { StackNames } from "../provider/core/requests/userAgent";
import { userAgent } from "../provider/version";
import type { ResourceSettings } from "./settings";

/** Who hears of the connections, and what makes them. */
export interface Looking extends Partial<Pick<ProviderOptions, "createClient">> {
  /** Is told what the connections have to say: plain text in the clear, a certificate that is not checked. */
  readonly warn?: ((text: string) => void) | undefined;
  /** The stack that is looked at; requests name it. */
  readonly stack?: StackNames | undefined;
}

/** The providers of the resources of a state: one for all that are reached by the same settings. */
export function readOnlyProviders(looking: Looking): (settings: ResourceSettings) => Provider {
  const made = new Map<string, Provider>();
  return ({ key, configuration }) => {
    const provider = made.get(key) ?? readOnlyProvider(configuration, looking);
    made.set(key, provider);
    return provider;
  };
}

/** A provider that only looks: whatever would change something is refused before it is sent. */
export function readOnlyProvider(
  configuration: Configuration,
  { warn, stack, ...making }: Looking,
): Provider {
  return new Provider(configuration, {
    runtime: systemRuntime,
    userAgent: userAgent(stack),
    isReadOnly: true,
    beforeEnd: (deed) => beforeEnd(deed, systemRuntime),
    ...making,
    tell: ({ kind, about, text }) => {
      // What a read tells of an object stands in its report.
      if (kind === "warning" && about === undefined) warn?.(text);
    },
  });
}
