import type { ResourceState } from "../../state/resource";
import { providerReference, providerTypeOf } from "../../state/urn";
import type { PropertyMap } from "../../state/values";
import { type Goal, plainGoal } from "../program/goal";
import type { Outcome } from "../program/registry";
import { DYNAMIC_PACKAGE } from "../provider/launch";
import { versionOf, withVersion } from "../provider/settings";
import { defaultNameOf, isOlder } from "../provider/versions";

/** The default providers: one per package and version, created on first use. */
export class DefaultProviders {
  private readonly made = new Map<string, Promise<string>>();

  constructor(
    private readonly config: PropertyMap,
    private readonly olds: readonly ResourceState[],
    private readonly register: (goal: Goal) => Promise<Outcome>,
  ) {}

  /** The reference of a package's default provider, in the version that the program's SDK requests. */
  of(packageName: string, asked: string | undefined): Promise<string> {
    const version = this.versionOf(packageName, asked);
    const key = `${packageName} ${version ?? ""}`;
    const known = this.made.get(key);
    if (known) return known;
    const making = this.make(packageName, version);
    this.made.set(key, making);
    return making;
  }

  /** The requested version, or else the newest version of the stack's providers. */
  versionOf(packageName: string, asked: string | undefined): string | undefined {
    if (asked !== undefined) return asked;
    const versions = this.olds
      .filter(({ type }) => type === providerTypeOf(packageName))
      .flatMap(({ inputs = {} }) => versionOf(inputs) ?? []);
    return versions.reduce<string | undefined>(
      (newest, one) => (newest === undefined || isOlder(newest, one) ? one : newest),
      undefined,
    );
  }

  private async make(packageName: string, version: string | undefined): Promise<string> {
    const type = providerTypeOf(packageName);
    const inputs = withVersion(configOf(packageName, this.config), version);
    const name = defaultNameOf(version);
    const { state } = await this.register(plainGoal({ type, name, custom: true, inputs }));
    return providerReference(state.urn, state.id ?? "");
  }
}

/**
 * The configuration of a default provider: the complete configuration for a dynamic provider, otherwise the package's
 * namespace without its prefix.
 */
function configOf(packageName: string, config: PropertyMap): PropertyMap {
  if (packageName === DYNAMIC_PACKAGE) return config;
  return Object.fromEntries(
    Object.entries(config)
      .filter(([key]) => key.startsWith(`${packageName}:`))
      .map(([key, value]) => [key.slice(packageName.length + 1), value]),
  );
}
