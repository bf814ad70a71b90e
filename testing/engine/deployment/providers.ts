import { randomUUID } from "node:crypto";
import type { PropertyMap, ResourceState } from "../state";
import { type Diff, NO_DIFF, replaces } from "./diff";
import type { Plugins } from "./plugins";
import type { Checked, Known, Provider } from "./provider";
import { packageOf, parseProviderReference, providerReference, typeOf } from "./urn";
import { equal } from "./values";
import { UNKNOWN_ON_THE_WIRE } from "./wire";

/** The key under which the engine keeps what is not the provider's own configuration. */
const INTERNAL = "__internal";

/**
 * The providers as resources: checked, compared, and instead of being created or updated configured. Resources
 * find the provider that serves them by its reference.
 */
export class Providers {
  private readonly checked = new Map<string, Provider>();
  private readonly inputs = new Map<string, PropertyMap>();
  private readonly configured = new Map<string, Promise<Provider>>();

  constructor(
    private readonly plugins: Plugins,
    private readonly olds: readonly ResourceState[],
  ) {}

  /** The provider of a reference; one that the program has not registered comes from the state. */
  async get(reference: string): Promise<Provider> {
    const registered = this.configured.get(reference);
    if (registered) return registered;
    const { urn, id } = parseProviderReference(reference);
    const old = this.olds.find((state) => state.urn === urn && state.id === id);
    if (!old) throw new Error(`could not find provider ${reference}`);
    return this.same(urn, id, old.inputs ?? {});
  }

  async check(urn: string, olds: PropertyMap, news: PropertyMap): Promise<Checked> {
    const provider = await this.plugins.load(packageOf(typeOf(urn)));
    const result = await provider.checkConfig(urn, own(olds), own(news));
    if (result.failures.length === 0) this.checked.set(urn, provider);
    const internal = news[INTERNAL];
    return {
      ...result,
      inputs: { ...result.inputs, ...(internal !== undefined && { [INTERNAL]: internal }) },
    };
  }

  async diff(urn: string, old: Known, news: PropertyMap): Promise<Diff> {
    const provider = this.checked.get(urn);
    if (!provider) return NO_DIFF;
    const diff = await provider.diffConfig(urn, { inputs: own(old.inputs), outputs: old.outputs }, own(news));
    if (diff.changes !== "unknown") return diff;
    return { ...diff, changes: equal(old.outputs, own(news)) ? "none" : "some" };
  }

  async create(urn: string, inputs: PropertyMap, preview: boolean) {
    const id = preview ? UNKNOWN_ON_THE_WIRE : randomUUID();
    await this.configure(urn, id, inputs);
    return { id, outputs: own(inputs) };
  }

  async update(urn: string, id: string, inputs: PropertyMap): Promise<PropertyMap> {
    this.configured.delete(providerReference(urn, id));
    await this.configure(urn, id, inputs);
    return own(inputs);
  }

  /** A provider that stays what it was is configured with what it was. */
  same(urn: string, id: string, inputs: PropertyMap): Promise<Provider> {
    return this.configured.get(providerReference(urn, id)) ?? this.configure(urn, id, inputs);
  }

  /** True where resources of the one provider cannot be served by the other. */
  async mustReplace(before: string, after: string): Promise<boolean> {
    const [from, to] = [parseProviderReference(before), parseProviderReference(after)];
    const old = this.olds.find((state) => state.urn === from.urn && state.id === from.id);
    const provider = await this.get(after);
    const known = { inputs: own(old?.inputs ?? {}), outputs: old?.outputs ?? {} };
    const diff = await provider.diffConfig(to.urn, known, own(this.inputs.get(after) ?? {}));
    return replaces(diff);
  }

  private configure(urn: string, id: string, inputs: PropertyMap): Promise<Provider> {
    const reference = providerReference(urn, id);
    this.inputs.set(reference, inputs);
    const configuring = (async () => {
      const provider = this.checked.get(urn) ?? (await this.plugins.load(packageOf(typeOf(urn))));
      this.checked.delete(urn);
      await provider.configure(urn, id, own(inputs));
      return provider;
    })();
    this.configured.set(reference, configuring);
    return configuring;
  }
}

/** The provider's own part of its configuration. */
function own(inputs: PropertyMap): PropertyMap {
  return Object.fromEntries(Object.entries(inputs).filter(([name]) => name !== INTERNAL));
}
