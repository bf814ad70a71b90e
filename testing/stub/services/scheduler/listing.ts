import { compileFilter, FilterError } from "../../filter";
import type { Caller, Names } from "./callers";
import { toWire } from "./dialect";
import { invalid, permissionError } from "./errors";
import type { Operation } from "./operation";
import type { Capability } from "./settings";

/** One record of a list: its sort key, and the item that filters see and responses contain. */
export interface Listed<Item> {
  readonly namespace: string;
  readonly key: string;
  readonly item: Item;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextToken: string | undefined;
}

/**
 * The rows "Filtering", "Pagination", "Ordering" and "Namespace" of the general conventions. Filters see complete records;
 * `capability` is undefined if the caller may list every one of these records. `narrowing` names the query parameters that cannot be combined with a filter.
 */
export function page<Item>(
  operation: Operation,
  records: readonly Listed<Item>[],
  capability: Capability | undefined,
  narrowing: readonly string[] = [],
): Page<Item> {
  const { request, switches, namespace } = operation;
  refuseCombination(operation, narrowing);
  const visible = records.filter((record) => namespace === "*" || record.namespace === namespace);
  const allowed = capability === undefined ? visible : listableRecords(operation, visible, capability);
  const filter = theFilter(operation);
  const matching = allowed.filter(({ item }) => read(() => filter(toWire(item, switches.dialect))));
  const reverse = request.query.get("reverse") === "true" ? -1 : 1;
  const ordered = matching
    .map((record) => ({
      ...record,
      token: namespace === "*" ? `${record.namespace}.${record.key}` : record.key,
    }))
    .sort((left, right) => reverse * compare(left.token, right.token));
  const from = request.query.get("next_token") ?? "";
  const begun = from === "" ? ordered : ordered.filter(({ token }) => reverse * compare(token, from) >= 0);
  const size = pageSize(request.query.get("per_page"));
  const shown = size === 0 ? begun : begun.slice(0, size);
  return { items: shown.map(({ item }) => item), nextToken: begun[shown.length]?.token };
}

/**
 * For `*`, the records of the namespaces that the caller may list; for one namespace, throws a 403 if the caller may not
 * list it.
 */
function listableRecords<Item>(
  { caller, world, namespace }: Operation,
  records: readonly Listed<Item>[],
  capability: Capability,
): readonly Listed<Item>[] {
  const may = (name: string) => allows(caller, capability, name, world.namespaces);
  if (namespace === "*") return records.filter((record) => may(record.namespace));
  if (!may(namespace)) throw permissionError();
  return records;
}

function allows(caller: Caller, capability: Capability, namespace: string, namespaces: Names): boolean {
  return caller.may(capability, namespace, namespaces);
}

/** "Other filtering query parameters cannot be combined with `filter`; doing so yields 400." */
function refuseCombination({ request: { query } }: Operation, narrowing: readonly string[]): void {
  if ((query.get("filter") ?? "") !== "" && narrowing.some((name) => (query.get(name) ?? "") !== "")) {
    throw invalid("Filter expression cannot be used with other filter parameters");
  }
}

function theFilter({ request }: Operation): (item: unknown) => boolean {
  const expression = request.query.get("filter") ?? "";
  return expression === "" ? () => true : read(() => compileFilter(expression));
}

function read<Value>(act: () => Value): Value {
  try {
    return act();
  } catch (error) {
    if (error instanceof FilterError) throw invalid(`failed to read filter expression: ${error.message}`);
    throw error;
  }
}

function pageSize(text: string | null): number {
  if (text === null || text === "") return 0;
  if (!/^-?\d+$/.test(text)) throw invalid("Expect a number for `per_page` query string parameter");
  return Math.max(0, Number(text));
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** A key that sorts in numeric order. */
export function numericKey(index: number, id: string): string {
  return `${String(index).padStart(20, "0")}.${id}`;
}
