import type { Field } from "../language/fields";
import { isObject } from "../value/json";
import type { Value } from "../value/unknown";
import type { Model } from "./model";
import type { Position } from "./walk";

/** The four models of a resource, all canonical, and what decides how they are compared. */
export interface Comparison {
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
  /** The properties of a text that changed since our last write, where only the service could say what the text means. */
  readonly changedText?: readonly Field[];
}

/** The four models of a comparison. */
export type ComparedModel = "applied" | "desired" | "settled" | "seen";

/** Whether the program never wrote a property, or a member of a structure: then others may own it. */
export function isUnmanaged({ path, depth, values }: Position<ComparedModel>): boolean {
  return path.length === depth && values.applied === undefined && values.desired === undefined;
}

/** What tells an element of a list from the others: its text. */
export function elementKey(element: Value | undefined): string {
  return JSON.stringify(element, (_, part) =>
    typeof part === "bigint" || typeof part === "symbol" ? `${typeof part} ${String(part)}` : part,
  );
}

/** The elements of a list, or the members of a map, each under a key. */
export function elementsOf(value: Value | undefined): Map<string, Value> {
  if (Array.isArray(value)) return new Map(value.map((element) => [elementKey(element), element]));
  return new Map(isObject(value) ? Object.entries(value) : []);
}
