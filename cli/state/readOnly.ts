import { Provider, type ProviderOptions } from "../../provider/core/bridge/provider";
import { systemRuntime } from "../../provider/core/http/options";
import { beforeEnd } from "../../provider/core/requests/beforeEnd";
import type { Configuration } from "../../provider/core/requests/given";
import type { StackNames } from "../../provider/core/requests/userAgent";
import { userAgent } from "../../provider/version";
import type { ResourceSettings } from "./settings";

/** Options of a read-only provider. */
export interface Looking extends Partial<Pick<ProviderOptions, "createClient">> {
  /** Receives warnings about connections, such as unencrypted HTTP or an unverified certificate. */
  readonly warn?: ((text: string) => void) | undefined;
  /** The stack to check; requests name it in their user agent. */
  readonly stack?: StackNames | undefined;
}

/** Creates the providers for a state's resources: one per distinct set of settings. */
export function readOnlyProviders(looking: Looking): (settings: ResourceSettings) => Provider {
  const made = new Map<string, Provider>();
  return ({ key, configuration }) => {
    const provider = made.get(key) ?? readOnlyProvider(configuration, looking);
    made.set(key, provider);
    return provider;
  };
}

/** A read-only provider: it refuses every request that would change anything. */
export function readOnlyProvider(
  configuration: Configuration,
  { warn, stack, ...making }: Looking,
): Provider {
  return new Provider(configuration, {
    runtime: systemRuntime,
    userAgent: userAgent(stack),
    isReadOnly: true,
    beforeEnd: (task) => beforeEnd(task, systemRuntime),
    ...making,
    tell: ({ kind, about, text }) => {
      // Warnings about an object are in its report.
      if (kind === "warning" && about === undefined) warn?.(text);
    },
  });
}
