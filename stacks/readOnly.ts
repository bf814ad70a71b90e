import { Provider, type ProviderOptions } from "../provider/core/bridge/provider";
import { systemRuntime } from "../provider/core/http/runtime";
import { beforeEnd } from "../provider/core/requests/beforeEnd";
import type { Configuration } from "../provider/core/requests/given";
import { USER_AGENT } from "../provider/version";

/** Who hears of the connections, and what makes them. */
export interface Looking extends Partial<Pick<ProviderOptions, "createClient">> {
  /** Is told what the connections have to say: plain text in the clear, a certificate that is not checked. */
  readonly warn?: ((text: string) => void) | undefined;
}

/** A provider that only looks: whatever would change something is refused before it is sent. */
export function readOnlyProvider(configuration: Configuration, { warn, ...making }: Looking): Provider {
  return new Provider(configuration, {
    runtime: systemRuntime,
    userAgent: USER_AGENT,
    isReadOnly: true,
    beforeEnd,
    ...making,
    tell: ({ kind, about, text }) => {
      // What a read tells of an object stands in its report.
      if (kind === "warning" && about === undefined) warn?.(text);
    },
  });
}
