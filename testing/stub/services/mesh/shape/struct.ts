import { isObject, type Members } from "../../../json";
import { type Field, goType, type Place, type ValueOf } from "./field";
import type { Problems } from "./problems";

export type Shape = Readonly<Record<string, Field<unknown>>>;

export type Body<S extends Shape> = { readonly [Key in keyof S]?: ValueOf<S[Key]> };

/** A field that is an object of named fields. */
export interface StructField<Value> extends Field<Value> {
  show(value: Value | undefined, place: Place): Members | undefined;
  outline(value: Value | undefined, place: Place): Members;
}

/**
 * An object of named fields. Names match case-insensitively and in snake case; an unknown name is a problem. An empty object
 * counts as present.
 */
export function struct<S extends Shape>(shape: S): StructField<Body<S>> {
  const fields = Object.entries(shape);
  const names = namesOf(fields);
  return {
    read(value, at, problems) {
      if (value === undefined || value === null) return undefined;
      if (!isObject(value)) {
        problems.addWrongType(`'${at}' expected a map, got '${goType(value)}'`);
        return undefined;
      }
      // Each member has the name of a field, and that field read it.
      return Object.fromEntries(membersOf(value, at, problems)) as Body<S>;
    },
    asStored: (body, place) =>
      eachOf(body, (field, value) => (value === undefined ? undefined : field.asStored(value, place))),
    show: (body, place) =>
      body === undefined ? undefined : eachOf(body, (field, value) => field.show(value, place)),
    // The code treats an absent value as a body without fields.
    outline: (body, place) => eachOf(body ?? ({} as Body<S>), (field, value) => field.outline(value, place)),
    zero: null,
  };

  function* membersOf(value: Members, at: string, problems: Problems) {
    for (const [key, member] of Object.entries(value)) {
      const path = at === "" ? key : `${at}.${key}`;
      const name = names.get(key.toLowerCase());
      const field = name === undefined ? undefined : shape[name];
      if (name === undefined || field === undefined) {
        problems.unknown(path);
        continue;
      }
      // The decoder uses a field's own name and reports the second spelling as unknown.
      if (key !== name && Object.hasOwn(value, name)) {
        problems.unknown(path);
        continue;
      }
      const read = field.read(member, at === "" ? name : `${at}.${name}`, problems);
      if (read !== undefined) yield [name, read] as const;
    }
  }

  function eachOf(body: Body<S>, change: (field: Field<unknown>, value: unknown) => unknown): Body<S> {
    const values: Members = body;
    const changed = fields.flatMap(([name, field]) => {
      const value = change(field, values[name]);
      return value === undefined ? [] : [[name, value] as const];
    });
    // Each member has the name of a field, and that field converted it.
    return Object.fromEntries(changed) as Body<S>;
  }
}

/** A struct that reads always show; an empty one counts as absent. */
export function inline<S extends Shape>(shape: S): StructField<Body<S>> {
  const field = struct(shape);
  return {
    ...field,
    asStored(body, place) {
      const settled = field.asStored(body, place);
      return settled === undefined || Object.keys(settled).length === 0 ? undefined : settled;
    },
    // The code treats an absent value as a body without fields.
    show: (body, place: Place) => field.show(body ?? ({} as Body<S>), place),
  };
}

function namesOf(fields: readonly (readonly [string, Field<unknown>])[]): ReadonlyMap<string, string> {
  return new Map(
    fields.flatMap(([name, { aliases = [] }]) =>
      [name.toLowerCase(), snakeCase(name), ...aliases].map((each) => [each, name] as const),
    ),
  );
}

/** `ExternalSNI` is `external_sni`, `CAFile` is `ca_file`. */
function snakeCase(name: string): string {
  return name
    .replace(/([a-z])([0-9A-Z])/g, "$1_$2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
}
