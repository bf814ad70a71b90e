import type { Field } from "../language/fields";
import { isObject, ownMember } from "../value/json";
import type { Value } from "../value/unknown";
import type { Model } from "./model";

/** What a comparison stands on. All four are canonical. */
export interface Standing {
  /** What the program wrote at our last write. */
  readonly applied: Model;
  /** What it writes now; it may hold unknown values in a preview. */
  readonly desired: Readonly<Record<string, Value | undefined>>;
  /** The service's answer to our last write. */
  readonly settled: Model;
  /** The service's latest answer. */
  readonly seen: Model;
  /** The forms in which the program now writes properties that have several, by the names of the properties. */
  readonly forms?: ReadonlyMap<string, Field>;
  /** What of the program's text is other than at our last write, where only the service could say what that means. */
  readonly unread?: readonly Field[];
}

/** The same four at one path. */
export interface At {
  readonly applied: Value | undefined;
  readonly desired: Value | undefined;
  readonly settled: Value | undefined;
  readonly seen: Value | undefined;
}

/** The four of a property. */
export function atField({ applied, desired, settled, seen }: Standing, name: string): At {
  return { applied: applied[name], desired: desired[name], settled: settled[name], seen: seen[name] };
}

/** The four at a member of that path. */
export function memberAt({ applied, desired, settled, seen }: At, name: string): At {
  return {
    applied: memberOf(applied, name),
    desired: memberOf(desired, name),
    settled: memberOf(settled, name),
    seen: memberOf(seen, name),
  };
}

export function memberOf(value: Value | undefined, name: string): Value | undefined {
  return isObject(value) ? ownMember(value, name) : undefined;
}

/** The elements of a list, or the members of a map, each under a key. */
export function elementsOf(value: Value | undefined): Map<string, Value> {
  if (Array.isArray(value)) return new Map(value.map((element) => [JSON.stringify(element), element]));
  return new Map(isObject(value) ? Object.entries(value) : []);
}
