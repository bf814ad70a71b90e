import { isSecretAt } from "./compare";
import { type Definition, fieldsOf } from "./define";
import type { Json } from "./json";
import { formatPath, type Path } from "./path";
import type { Inputs } from "./unknown";

/** The input in which the SDK hands over the paths that the program itself marked secret. */
export const SECRET_PATHS = "__secrets";

/** Whether a path holds a secret: by the definition, or because the program marked it or something above it. */
export function isSecretPath(definition: Definition, inputs: Inputs, path: Path): boolean {
  const field = fieldsOf(definition).find(({ name }) => name === path[0]);
  if (field !== undefined && isSecretAt(field, path)) return true;
  const text = formatPath(path);
  return markedPaths(inputs).some((marked) => isWithin(text, marked) || isWithin(marked, text));
}

function isWithin(path: string, above: string): boolean {
  return path === above || path.startsWith(`${above}.`) || path.startsWith(`${above}[`);
}

function markedPaths(inputs: Inputs): string[] {
  const paths = inputs[SECRET_PATHS];
  const list: readonly unknown[] = Array.isArray(paths) ? paths : [];
  return list.filter((path) => typeof path === "string");
}

/** Every secret text in a program's inputs, for the redaction of everything that is printed. */
export function secretTexts(definition: Definition, inputs: Inputs): string[] {
  const texts: string[] = [];
  const visit = (value: unknown, path: Path, isSecret: boolean) => {
    const secret = isSecret || isSecretPathExactly(definition, inputs, path);
    if (typeof value === "string" && secret) texts.push(value);
    if (Array.isArray(value)) {
      for (const [index, element] of value.entries()) visit(element, [...path, index], secret);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, member] of Object.entries(value as Record<string, Json>))
        visit(member, [...path, name], secret);
    }
  };
  for (const [name, value] of Object.entries(inputs)) if (name !== SECRET_PATHS) visit(value, [name], false);
  return texts;
}

function isSecretPathExactly(definition: Definition, inputs: Inputs, path: Path): boolean {
  const field = fieldsOf(definition).find(({ name }) => name === path[0]);
  if (field !== undefined && isSecretAt(field, path)) return true;
  const text = formatPath(path);
  return markedPaths(inputs).some((marked) => isWithin(text, marked));
}
