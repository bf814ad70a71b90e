import { settingText } from "../provider/core/bridge/plugin/configuration";
import type { Configuration } from "../provider/core/requests/given";
import type { Inputs } from "../provider/core/value/unknown";
import { type Properties, type StackResource, serviceOf, tokenOf } from "./deployment";

/** Where the settings of a resource come from, and what they say. */
export interface ResourceSettings {
  /** For people: `the provider eu in the state`. */
  readonly source: string;
  /** Resources with the same settings share their connections. */
  readonly key: string;
  readonly configuration: Configuration;
}

/** What says the settings beside a state. */
export interface Beside {
  /** The stack's configuration, where it is known. */
  readonly configuration?: ReadonlyMap<string, string> | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The settings of each resource of a state: of its explicit provider; else of the stack's configuration; else of the default
 * provider, as the state has it from some earlier time; else of the environment.
 */
export class SettingsOfState {
  readonly #providers = new Map<string, StackResource>();

  constructor(
    resources: readonly StackResource[],
    private readonly beside: Beside,
  ) {
    for (const resource of resources) {
      if (resource.type.startsWith("pulumi:providers:"))
        this.#providers.set(`${resource.urn}::${resource.id}`, resource);
    }
  }

  /** The settings of what is in no state yet: those of the resources that name no provider of their own. */
  ofNone(): ResourceSettings {
    const isDefault = ({ type }: StackResource) =>
      type === "pulumi:providers:quarterdeck" || type === "pulumi:providers:pulumi-nodejs";
    const [reference] = [...this.#providers].flatMap(([key, provider]) =>
      isDefault(provider) && !isExplicit(provider) ? [key] : [],
    );
    return this.of({ provider: reference });
  }

  /** The settings of a resource. Without a type they are those of all services, and their source is where most come from. */
  of(resource: Reached): ResourceSettings {
    const settings = this.#settingsOf(resource);
    return isSaidIn(settings.configuration, resource) ? settings : { ...settings, source: "the environment" };
  }

  #settingsOf({ provider: reference }: Reached): ResourceSettings {
    const provider = reference === undefined ? undefined : this.#providers.get(reference);
    const { configuration, env } = this.beside;
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
    const isSaid = Object.keys(stored ?? {}).some((name) => settingNames.test(name));
    if (stored !== undefined && isSaid) {
      return {
        source: "the default provider in the state",
        key: `provider ${reference}`,
        configuration: { get: (key) => settingIn(stored, key), env, isStored: true },
      };
    }
    return { source: "the environment", key: "environment", configuration: { get: () => undefined, env } };
  }
}

/** What of a resource says how it is reached. */
type Reached = { readonly provider?: string | undefined } & Partial<Pick<StackResource, "type" | "inputs">>;

/** Whether settings say anything of a resource's service, or of its named connection; the environment gives the rest. */
function isSaidIn({ get }: Configuration, resource: Reached): boolean {
  const token = tokenOf(resource.type ?? "");
  if (token === undefined || get(`${OURS}${serviceOf(token)}`) !== undefined) return true;
  return get(`${OURS}connections`) !== undefined && resource.inputs?.connection !== undefined;
}

const OURS = "quarterdeck:";

/** What the default provider of either bridge calls a service's settings. */
const settingNames = /^(?:quarterdeck:)?(?:workspaces|scheduler|secrets|mesh|connections)$/;

/** One that a program makes itself; those that an engine makes are called so. */
function isExplicit({ type, name }: StackResource): boolean {
  return type === "pulumi:providers:quarterdeck" && !/^default(?:_|$)/.test(name);
}

/** A setting as text: the plugin's provider has it by its own name, the dynamic host's by its full key. */
function settingIn(settings: Properties, key: string): string | undefined {
  const text = settings[key];
  // Settings are JSON.
  return typeof text === "string" ? text : settingText(settings as Inputs, key);
}
