import { Fields } from "../fields";

/** The older names of settings, and the setting that each one also sets. */
export type OlderNames = Readonly<Record<string, string>>;

/** A request in which the settings have their own names. A setting's own name wins. */
export function withOwnNames(fields: Fields, names: OlderNames): Fields {
  const renamed = Object.entries(names).flatMap(([older, own]) =>
    fields.has(older) && !fields.has(own) ? [[own, fields.raw(older)] as const] : [],
  );
  return new Fields({ ...fields.all(), ...Object.fromEntries(renamed) });
}

/** The older names that reads show after a write: those in it, and the earlier ones whose settings it does not contain. */
export function olderNamesAfter(fields: Fields, names: OlderNames, before: readonly string[]): string[] {
  return Object.entries(names).flatMap(([older, own]) =>
    fields.has(older) || (before.includes(older) && !fields.has(own)) ? [older] : [],
  );
}

/** The members of a read under their older names. */
export function shownOlder(
  shown: Readonly<Record<string, unknown>>,
  names: OlderNames,
  older: readonly string[],
): Readonly<Record<string, unknown>> {
  const isSet = (value: unknown) => (Array.isArray(value) ? value.length > 0 : Boolean(value));
  return Object.fromEntries(
    older.flatMap((name) => {
      const value = shown[names[name] ?? ""];
      return isSet(value) ? [[name, value]] : [];
    }),
  );
}
