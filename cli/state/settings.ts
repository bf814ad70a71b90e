import { settingText } from "../../provider/core/bridge/plugin/configuration";
import type { Service } from "../../provider/core/language/service";
import { environmentName } from "../../provider/core/language/settings";
import type { Configuration } from "../../provider/core/requests/given";
import type { Inputs } from "../../provider/core/value/unknown";
import { type Properties, type StackResource, serviceOf, tokenOf } from "./deployment";

/** The settings of a resource, and their source. */
export interface ResourceSettings {
  /** The source for display: `the provider eu in the state`. */
  readonly source: string;
  /** Resources with the same key share their connections. */
  readonly key: string;
  readonly configuration: Configuration;
}

/** Sources of settings other than the state. */
export interface OtherSources {
  /** The stack's configuration, if it is known. */
  readonly configuration?: ReadonlyMap<string, string> | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The settings of each resource of a state. The first of these sources applies: its explicit provider, the stack's
 * configuration, the default provider as recorded in the state, the environment.
 */
export class SettingsOfState {
  readonly #providers = new Map<string, StackResource>();

  constructor(
    resources: readonly StackResource[],
    private readonly others: OtherSources,
  ) {
    for (const resource of resources) {
      if (resource.type.startsWith("pulumi:providers:"))
        this.#providers.set(`${resource.urn}::${resource.id}`, resource);
    }
  }

  /** The settings for objects that are not in the state: those of resources without an explicit provider. */
  ofNone(): ResourceSettings {
    const isDefault = ({ type }: StackResource) =>
      type === "pulumi:providers:quarterdeck" || type === "pulumi:providers:pulumi-nodejs";
    const [reference] = [...this.#providers].flatMap(([key, provider]) =>
      isDefault(provider) && !isExplicit(provider) ? [key] : [],
    );
    return this.of({ provider: reference });
  }

  /** The settings of a resource. Without a type, the settings cover all services, and the source is that of most settings. */
  of(resource: Reached): ResourceSettings {
    const settings = this.#settingsOf(resource);
    return coversResource(settings.configuration, resource)
      ? settings
      : { ...settings, source: "the environment" };
  }

  #settingsOf({ provider: reference }: Reached): ResourceSettings {
    const provider = reference === undefined ? undefined : this.#providers.get(reference);
    const { configuration, env } = this.others;
    if (provider !== undefined && isExplicit(provider)) {
      const settings = provider.inputs;
      return {
        source: `the provider ${provider.name} in the state`,
        key: `provider ${reference}`,
        configuration: { get: (key) => settingIn(settings, key), env, isStored: true },
      };
    }
    if (configuration !== undefined && [...configuration.keys()].some((key) => key.startsWith(OURS))) {
      return {
        source: "the stack's configuration",
        key: "configuration",
        configuration: { get: (key) => configuration.get(key), env },
      };
    }
    const stored = provider?.inputs;
    const hasSettings = Object.keys(stored ?? {}).some((name) => settingNames.test(name));
    if (stored !== undefined && hasSettings) {
      return {
        source: "the default provider in the state",
        key: `provider ${reference}`,
        configuration: { get: (key) => settingIn(stored, key), env, isStored: true },
      };
    }
    return { source: "the environment", key: "environment", configuration: { get: () => undefined, env } };
  }
}

/** States that a service has no settings, and which setting or variable would give its address. */
export function missingSettings(service: Service): string {
  const variables = [
    environmentName(service, "address"),
    ...(service.dialects.real?.variables?.names.address ?? []),
  ];
  return `${OURS}${service.name} is not set, nor ${variables.join(" or ")}`;
}

/** The fields of a resource that select its settings. */
type Reached = { readonly provider?: string | undefined } & Partial<Pick<StackResource, "type" | "inputs">>;

/** True if the settings cover the resource's service or its named connection; otherwise the environment applies. */
function coversResource({ get }: Configuration, resource: Reached): boolean {
  const token = tokenOf(resource.type ?? "");
  if (token === undefined || get(`${OURS}${serviceOf(token)}`) !== undefined) return true;
  return get(`${OURS}connections`) !== undefined && resource.inputs?.connection !== undefined;
}

const OURS = "quarterdeck:";

/** The settings' names in the default provider of either bridge. */
const settingNames = /^(?:quarterdeck:)?(?:workspaces|scheduler|secrets|mesh|connections)$/;

/** True for a provider that the program creates; the engine names its own providers "default". */
function isExplicit({ type, name }: StackResource): boolean {
  return type === "pulumi:providers:quarterdeck" && !/^default(?:_|$)/.test(name);
}

/** A setting as text. The plugin's provider stores it under its own name, the dynamic bridge's under its full key. */
function settingIn(settings: Properties, key: string): string | undefined {
  const text = settings[key];
  // Settings are JSON.
  return typeof text === "string" ? text : settingText(settings as Inputs, key);
}
