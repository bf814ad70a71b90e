import { randomUUID } from "node:crypto";
import type { ResourceState } from "../../state/resource";
import { UNKNOWN_ON_THE_WIRE } from "../../state/signatures";
import { packageOf, parseProviderReference, providerReference, typeOf } from "../../state/urn";
import { equal, type PropertyMap } from "../../state/values";
import { type Diff, NO_DIFF, replaces } from "./diff";
import type { Plugins } from "./plugins";
import type { Checked, RecordedState } from "./protocol";
import type { AnyProvider } from "./provider";
import { settingsForPlugin, versionOf, withOwn } from "./settings";
import type { UnconfiguredProvider } from "./unconfigured";

/** A configured provider and its server. */
interface Configured {
  readonly server: Promise<UnconfiguredProvider>;
  readonly provider: Promise<AnyProvider>;
  readonly inputs: PropertyMap;
}

/**
 * Manages providers as resources: checks and diffs them, and configures them instead of creating or updating them. Resources
 * find their provider by its reference.
 */
export class Providers {
  private readonly checked = new Map<string, UnconfiguredProvider>();
  private readonly configured = new Map<string, Configured>();

  constructor(
    private readonly plugins: Plugins,
    private readonly olds: readonly ResourceState[],
  ) {}

  /**
   * The provider of a reference. If the program has not registered it, its inputs are read from the state. Rejects if the
   * configuration failed: this fails the resources that use the provider, not the provider itself.
   */
  async get(reference: string): Promise<AnyProvider> {
    const registered = this.configured.get(reference);
    if (registered) return registered.provider;
    const old = this.old(reference);
    if (!old) throw new Error(`unknown provider '${reference}'`);
    return this.configure(old.urn, old.id ?? "", old.inputs ?? {}).provider;
  }

  async check(urn: string, olds: PropertyMap, news: PropertyMap): Promise<Checked> {
    const provider = await this.load(urn, news);
    const result = await provider.check(urn, settingsForPlugin(olds), settingsForPlugin(news));
    if (result.failures.length > 0) await this.plugins.unload(provider);
    else this.checked.set(urn, provider);
    return { ...result, inputs: withOwn(result.inputs, news) };
  }

  async diff(urn: string, old: RecordedState, news: PropertyMap): Promise<Diff> {
    const provider = this.checked.get(urn);
    if (!provider) return NO_DIFF;
    const settings = { inputs: settingsForPlugin(old.inputs), outputs: old.outputs };
    const diff = decideDiff(await provider.diff(urn, settings, settingsForPlugin(news)), old, news);
    // A replaced provider is loaded and checked again.
    if (replaces(diff)) {
      this.checked.delete(urn);
      await this.plugins.unload(provider);
    }
    return diff;
  }

  async create(urn: string, inputs: PropertyMap, preview: boolean) {
    const id = preview ? UNKNOWN_ON_THE_WIRE : randomUUID();
    this.configure(urn, id, inputs);
    return { id, outputs: settingsForPlugin(inputs) };
  }

  async update(urn: string, id: string, inputs: PropertyMap): Promise<PropertyMap> {
    this.configure(urn, id, inputs);
    return settingsForPlugin(inputs);
  }

  /** Configures an unchanged provider with its inputs. */
  same(urn: string, id: string, inputs: PropertyMap): void {
    if (!this.configured.has(providerReference(urn, id))) this.configure(urn, id, inputs);
  }

  /** True if resources of one provider must be replaced when they switch to the other. */
  async mustReplace(before: string, after: string): Promise<boolean> {
    const { urn } = parseProviderReference(after);
    const { inputs = {}, outputs = {} } = this.old(before) ?? {};
    const next = this.configured.get(after);
    if (!next) throw new Error(`failed to resolve provider reference: "${before}"`);
    const server = await next.server;
    return replaces(
      await server.diff(urn, { inputs: settingsForPlugin(inputs), outputs }, settingsForPlugin(next.inputs)),
    );
  }

  private old(reference: string): ResourceState | undefined {
    const { urn, id } = parseProviderReference(reference);
    return this.olds.find((state) => state.urn === urn && state.id === id);
  }

  private load(urn: string, inputs: PropertyMap): Promise<UnconfiguredProvider> {
    return this.plugins.load(packageOf(typeOf(urn)), versionOf(inputs));
  }

  private configure(urn: string, id: string, inputs: PropertyMap): Configured {
    const checked = this.checked.get(urn);
    this.checked.delete(urn);
    const server = checked ? Promise.resolve(checked) : this.load(urn, inputs);
    const provider = server.then((loaded) => loaded.configure(urn, id, settingsForPlugin(inputs)));
    // Each user of the provider observes the failure; there may be none.
    provider.catch(() => {});
    const configured = { server, provider, inputs };
    this.configured.set(providerReference(urn, id), configured);
    return configured;
  }
}

/** If a provider cannot diff its settings, compares them directly. */
function decideDiff(diff: Diff, { outputs }: RecordedState, news: PropertyMap): Diff {
  if (diff.changes !== "unknown") return diff;
  return { ...diff, changes: equal(outputs, settingsForPlugin(news)) ? "none" : "some" };
}
