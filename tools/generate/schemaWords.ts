/**
 * Replaces property names in a text with references, so that each language shows its own names: `maxTtl` in TypeScript is
 * `max_ttl` in Python. SDKs insert the names without backticks, so the reference is quoted.
 * @param at the path of the properties in the schema: `resources/quarterdeck:scheduler:Job/inputProperties`
 * @param names the property names
 */
export function inEachLanguage(text: string, at: string, names: readonly string[]): string {
  return text.replace(/`(\w+)`/g, (word, name: string) =>
    names.includes(name) ? `"{{% ref #/${at}/${name} %}}"` : word,
  );
}
