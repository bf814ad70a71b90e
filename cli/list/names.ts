import { serviceOf } from "../state/deployment";
import type { UnmanagedObject } from "./report";

/** The resource names that a program uses already, by {@link nameKey}. */
export type TakenNames = ReadonlySet<string>;

/** Two resources of one type need different names. */
export const nameKey = (type: string, name: string) => JSON.stringify([type, name]);

/**
 * Chooses a unique resource name for each object: its short name if that is unique, otherwise the name with its type,
 * otherwise its complete ID. The names do not depend on the order of the objects.
 * @param used the names of the resources in the state, which no object of the same type gets
 */
export function namesOf(
  objects: readonly UnmanagedObject[],
  used: TakenNames = new Set(),
): ReadonlyMap<UnmanagedObject, string> {
  const names = new Map<UnmanagedObject, string>();
  let nameless = objects;
  for (const level of LEVELS) {
    const counts = new Map<string, number>();
    for (const name of names.values()) counts.set(name, 1);
    for (const object of nameless) counts.set(level(object), (counts.get(level(object)) ?? 0) + 1);
    for (const object of nameless) {
      const name = level(object);
      if (counts.get(name) === 1 && !used.has(nameKey(object.type, name))) names.set(object, name);
    }
    nameless = nameless.filter((object) => !names.has(object));
  }
  // The remaining names differ only in characters that `plainName` replaces.
  const taken = new Set(names.values());
  for (const object of [...nameless].sort((one, other) => (one.id < other.id ? -1 : 1))) {
    const own = LEVELS.at(-1)?.(object) ?? "";
    let number = 2;
    while (taken.has(`${own}-${number}`) || used.has(nameKey(object.type, `${own}-${number}`))) number += 1;
    taken.add(`${own}-${number}`);
    names.set(object, `${own}-${number}`);
  }
  return names;
}

const LEVELS: readonly ((object: UnmanagedObject) => string)[] = [
  (object) => plainName(shortOf(object)),
  (object) => plainName(`${shortOf(object)}-${kindOf(object)}`),
  (object) => plainName(`${object.id}-${kindOf(object)}`),
  (object) => plainName(`${object.id}-${serviceOf(object.type)}-${kindOf(object)}`),
];

const shortOf = ({ name, id }: UnmanagedObject) => name || (id.split("/").at(-1) ?? id);

/** `service-defaults` for `mesh:ServiceDefaults`. */
const kindOf = ({ type }: UnmanagedObject) =>
  (type.split(":").at(-1) ?? "").replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "-").toLowerCase();

/**
 * Replaces all characters except letters, digits, dashes and underscores: engines, configuration keys and shells accept the
 * result unquoted.
 */
export function plainName(text: string): string {
  const dashed = text
    .replaceAll(/[^A-Za-z0-9_]+/g, "-")
    .replace(/^-/, "")
    .replace(/-$/, "");
  return /^[A-Za-z_]/.test(dashed) ? dashed : `o-${dashed}`;
}
