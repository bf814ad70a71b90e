import { packageOf, providerReference, providerTypeOf } from "../../state/urn";
import type { PropertyMap } from "../../state/values";
import { type Goal, plainGoal } from "../program/goal";
import type { Outcome } from "../program/registry";
import { DYNAMIC_PACKAGE } from "../provider/plugins";

/** The providers that the program did not ask for: one a package, made when it is first needed. */
export class DefaultProviders {
  private readonly made = new Map<string, Promise<string>>();

  constructor(
    private readonly config: PropertyMap,
    private readonly register: (goal: Goal) => Promise<Outcome>,
  ) {}

  /** The reference of the provider that serves a type. */
  of(type: string): Promise<string> {
    const packageName = packageOf(type);
    const known = this.made.get(packageName);
    if (known) return known;
    const making = this.make(packageName);
    this.made.set(packageName, making);
    return making;
  }

  private async make(packageName: string): Promise<string> {
    const type = providerTypeOf(packageName);
    const inputs = configOf(packageName, this.config);
    const { state } = await this.register(plainGoal({ type, name: "default", custom: true, inputs }));
    return providerReference(state.urn, state.id ?? "");
  }
}

/** A dynamic provider gets the whole configuration; any other its own namespace, by plain names. */
function configOf(packageName: string, config: PropertyMap): PropertyMap {
  if (packageName === DYNAMIC_PACKAGE) return config;
  return Object.fromEntries(
    Object.entries(config)
      .filter(([key]) => key.startsWith(`${packageName}:`))
      .map(([key, value]) => [key.slice(packageName.length + 1), value]),
  );
}
