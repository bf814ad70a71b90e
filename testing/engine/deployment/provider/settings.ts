import type { PropertyMap, PropertyValue } from "../../state/values";

/** The input of a provider with the engine's own data; the plugin never receives it. */
const INTERNAL = "__internal";

/** Adds the plugin's version to a provider's inputs. */
export function withVersion(inputs: PropertyMap, version: string | undefined): PropertyMap {
  return version === undefined ? inputs : { ...inputs, [INTERNAL]: inputs[INTERNAL] ?? {}, version };
}

export const versionOf = ({ version }: PropertyMap): string | undefined =>
  typeof version === "string" ? version : undefined;

/** The inputs without the engine's own data, for the plugin. */
export function settingsForPlugin(inputs: PropertyMap): PropertyMap {
  const { [INTERNAL]: _, ...settings } = inputs;
  return settings;
}

/** The checked inputs of a plugin, with the engine's own data added again. */
export function withOwn(checked: PropertyMap, asked: PropertyMap): PropertyMap {
  const settingIfGiven = (name: string): Record<string, PropertyValue> => {
    const value = asked[name];
    return value === undefined ? {} : { [name]: value };
  };
  return { ...settingIfGiven("version"), ...checked, ...settingIfGiven(INTERNAL) };
}
