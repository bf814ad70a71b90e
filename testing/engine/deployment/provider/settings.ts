import type { PropertyMap, PropertyValue } from "../../state/values";

/** Where the inputs of a provider hold what the engine itself needs to know of it; its plugin never sees that. */
const INTERNAL = "__internal";

/** The inputs of a provider of one version of its plugin. */
export function withVersion(inputs: PropertyMap, version: string | undefined): PropertyMap {
  return version === undefined ? inputs : { ...inputs, [INTERNAL]: inputs[INTERNAL] ?? {}, version };
}

export const versionOf = ({ version }: PropertyMap): string | undefined =>
  typeof version === "string" ? version : undefined;

/** What of its inputs a plugin is told. */
export function told(inputs: PropertyMap): PropertyMap {
  const { [INTERNAL]: _, ...settings } = inputs;
  return settings;
}

/** What a plugin has checked, with what is the engine's own. */
export function withOwn(checked: PropertyMap, asked: PropertyMap): PropertyMap {
  const kept = (name: string): Record<string, PropertyValue> => {
    const value = asked[name];
    return value === undefined ? {} : { [name]: value };
  };
  return { ...kept("version"), ...checked, ...kept(INTERNAL) };
}
