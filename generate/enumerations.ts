import { namedTypesIn, type Property, type Shape, type TypeName } from "./shape";

type Choice = Extract<Shape, { kind: "choice" }>;

/**
 * The words of the choices in some properties by their names, each choice once: as the engine's generator has them in
 * programs for what it imports.
 */
export function enumerationTexts(
  properties: readonly Property[],
  isWanted: (type: TypeName) => boolean,
): string[] {
  const texts = new Map<string, string>();
  for (const { name, shape } of properties) {
    for (const choice of namedTypesIn(shape)) {
      if (choice.kind === "choice" && isWanted(choice.type) && !texts.has(choice.type.name))
        texts.set(choice.type.name, enumerationText(choice, name));
    }
  }
  return [...texts.values()];
}

function enumerationText({ type, values, meanings = {} }: Choice, property: string): string {
  const members = values.map((value) => {
    const meaning = meanings[value] === undefined ? "" : `  /** ${meanings[value]} */\n`;
    return `${meaning}  ${wordOf(value)}: ${JSON.stringify(value)},\n`;
  });
  return `/** What \`${property}\` may be: these names, or the words themselves. */
export const ${type.name} = {
${members.join("")}} as const;
`;
}

/** What the engine's generator for TypeScript calls a word: the first letter large, and no character that a name cannot have. */
function wordOf(value: string): string {
  const name = value.replace(/[^A-Za-z0-9_$]/g, "_").replace(/_+/g, "_");
  return name.charAt(0).toUpperCase() + name.slice(1);
}
