/**
 * A text of the schema in which properties are named so that each language tells them by its own names: what a program of
 * TypeScript writes as `maxTtl` is `max_ttl` to one of Python. An SDK writes the names without marks, so quotes stand there.
 * @param at where the properties stand in the schema: `resources/quarterdeck:scheduler:Job/inputProperties`
 * @param names what the properties are called
 */
export function inEachLanguage(text: string, at: string, names: readonly string[]): string {
  return text.replace(/`(\w+)`/g, (word, name: string) =>
    names.includes(name) ? `"{{% ref #/${at}/${name} %}}"` : word,
  );
}
