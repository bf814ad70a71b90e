import schema from "../../schema.json";
import * as quarterdeck from "../../sdk";

type Part = { readonly $ref?: string; readonly [member: string]: unknown };
const types = schema.types as Readonly<Record<string, Part>>;

/** The types that a part of the schema leads to. */
function reached(part: unknown, found = new Set<string>()): Set<string> {
  if (typeof part !== "object" || part === null) return found;
  const token = /^#\/types\/(.+)$/.exec(String((part as Part).$ref))?.[1];
  if (token !== undefined && !found.has(token)) reached(types[token], found.add(token));
  for (const member of Object.values(part)) reached(member, found);
  return found;
}

const inputs = Object.values(schema.resources).map(({ inputProperties }) => inputProperties);
const choices = [...reached(inputs)].filter((token) => types[token]?.enum !== undefined);

/** What the engine's generator calls a word in TypeScript: the first letter large. */
const nameOf = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

test("some resources have choices", () => expect(choices.length).toBeGreaterThan(10));

test.each(choices)(
  "the words of %s have the names by which programs that an import writes call them",
  (token) => {
    const [, module = "", name = ""] = token.split(":");
    const space = module === "index" ? quarterdeck : Reflect.get(quarterdeck, module);
    // Only types with words were chosen.
    const words = (Object(types[token]).enum as { value: string }[]).map(({ value }) => value);
    expect(Reflect.get(space, name)).toEqual(Object.fromEntries(words.map((word) => [nameOf(word), word])));
  },
);
