import { randomUUID } from "node:crypto";
import type { ResourceState } from "../../state/resource";
import { UNKNOWN_ON_THE_WIRE } from "../../state/signatures";
import { packageOf, parseProviderReference, providerReference, typeOf } from "../../state/urn";
import { equal, type PropertyMap } from "../../state/values";
import { type Diff, NO_DIFF, replaces } from "./diff";
import type { Plugins } from "./plugins";
import type { Checked, RecordedState } from "./protocol";
import type { Provider } from "./provider";
import type { UnconfiguredProvider } from "./unconfigured";

/**
 * The providers as resources: checked, compared, and instead of being created or updated configured. Resources
 * find the provider that serves them by its reference.
 */
export class Providers {
  private readonly checked = new Map<string, UnconfiguredProvider>();
  private readonly configured = new Map<string, Promise<Provider>>();
  private readonly inputs = new Map<string, PropertyMap>();

  constructor(
    private readonly plugins: Plugins,
    private readonly olds: readonly ResourceState[],
  ) {}

  /** The provider of a reference; one that the program has not registered comes from the state. */
  async get(reference: string): Promise<Provider> {
    const registered = this.configured.get(reference);
    if (registered) return registered;
    const old = this.old(reference);
    if (!old) throw new Error(`could not find provider ${reference}`);
    return this.same(old.urn, old.id ?? "", old.inputs ?? {});
  }

  async check(urn: string, olds: PropertyMap, news: PropertyMap): Promise<Checked> {
    const provider = await this.plugins.load(packageOf(typeOf(urn)));
    const result = await provider.check(urn, olds, news);
    if (result.failures.length === 0) this.checked.set(urn, provider);
    return result;
  }

  async diff(urn: string, old: RecordedState, news: PropertyMap): Promise<Diff> {
    const diff = (await this.checked.get(urn)?.diff(urn, old, news)) ?? NO_DIFF;
    if (diff.changes !== "unknown") return diff;
    return { ...diff, changes: equal(old.outputs, news) ? "none" : "some" };
  }

  async create(urn: string, inputs: PropertyMap, preview: boolean) {
    const id = preview ? UNKNOWN_ON_THE_WIRE : randomUUID();
    await this.configure(urn, id, inputs);
    return { id, outputs: inputs };
  }

  async update(urn: string, id: string, inputs: PropertyMap): Promise<PropertyMap> {
    await this.configure(urn, id, inputs);
    return inputs;
  }

  /** A provider that stays what it was is configured with what it was. */
  same(urn: string, id: string, inputs: PropertyMap): Promise<Provider> {
    return this.configured.get(providerReference(urn, id)) ?? this.configure(urn, id, inputs);
  }

  /** True where resources of the one provider cannot be served by the other. */
  async mustReplace(before: string, after: string): Promise<boolean> {
    const { urn } = parseProviderReference(after);
    const { inputs = {}, outputs = {} } = this.old(before) ?? {};
    const provider = await this.plugins.load(packageOf(typeOf(urn)));
    return replaces(await provider.diff(urn, { inputs, outputs }, this.inputs.get(after) ?? {}));
  }

  private old(reference: string): ResourceState | undefined {
    const { urn, id } = parseProviderReference(reference);
    return this.olds.find((state) => state.urn === urn && state.id === id);
  }

  private configure(urn: string, id: string, inputs: PropertyMap): Promise<Provider> {
    const reference = providerReference(urn, id);
    const configuring = (async () => {
      const provider = this.checked.get(urn) ?? (await this.plugins.load(packageOf(typeOf(urn))));
      this.checked.delete(urn);
      return provider.configure(urn, id, inputs);
    })();
    this.inputs.set(reference, inputs);
    this.configured.set(reference, configuring);
    return configuring;
  }
}
