import type { Difference } from "../diff/threeWay";
import { memberOf } from "../diff/walk";
import type { Field } from "../language/fields";
import { isObject, type Json } from "../value/json";
import { isNamed, KEY, lookUp, ONLY_THERE, type Path } from "../value/path";
import { isEmpty, same, sameInDocument } from "../value/scalar";
import type { Value } from "../value/unknown";
import { align, type Pair } from "./align";

/** One row of a table for people: a changed leaf, or a complete element that was added, removed or relocated. */
export interface DifferenceRow extends Difference {
  /** The element has a new position and is otherwise unchanged: the values are its indexes. */
  readonly isRelocated?: true;
  /** Lists on the row's path without a program index for the element, so that the program's secret marks do not match it. */
  readonly unmarked: readonly Path[];
  /** Members that only the service has inside an element may be its own, and get no row. */
  readonly ignoresAdditions?: true;
}

/**
 * Splits a conflict into rows. A list without keys is split into its elements, aligned by content, down to the changes
 * inside them. This is for display only: a write still sends such a list complete. An element has its index in the program,
 * or in the earlier list. An element that only the service has gets its index there, with a plus.
 */
export function rowsOfConflict(conflict: Difference): DifferenceRow[] {
  return inside({ ...conflict, unmarked: [] });
}

/** The rows of a difference between a service's value and a program's. */
export function rowsOfDifference({ path, field, ours, theirs }: Difference): DifferenceRow[] {
  return inside({ path, field, base: ours, ours, theirs, unmarked: [], ignoresAdditions: true });
}

function inside(whole: DifferenceRow): DifferenceRow[] {
  const rows = partsOf(whole);
  return rows === undefined || rows.length === 0 ? [whole] : rows;
}

/** The rows of a value's parts; undefined if the value is one row. */
function partsOf(whole: DifferenceRow): DifferenceRow[] | undefined {
  const { base, theirs } = whole;
  if (isObject(base) && isObject(theirs)) {
    const names = [...new Set([...Object.keys(base), ...Object.keys(theirs)])];
    return names.flatMap((name) => ifChanged(memberRow(whole, name)));
  }
  if (isUnordered(whole)) return setRows(whole);
  const [before, now] = [elementsIn(base), elementsIn(theirs)];
  const isList = Array.isArray(base) || Array.isArray(theirs);
  return isList && before && now ? elementRows(whole, before, now) : undefined;
}

/** The elements of a list; an empty list if the value is empty. */
function elementsIn(value: Value | undefined): readonly Value[] | undefined {
  if (Array.isArray(value)) return value;
  return isEmpty(value) ? [] : undefined;
}

/** A part of a row's value, in base, ours and theirs. */
function partAt(
  whole: DifferenceRow,
  segment: string | number,
  of: (value: Value | undefined) => Value | undefined,
): DifferenceRow {
  const { path, base, ours, theirs } = whole;
  return { ...whole, path: [...path, segment], base: of(base), ours: of(ours), theirs: of(theirs) };
}

function memberRow(whole: DifferenceRow, name: string | number): DifferenceRow {
  return partAt(whole, name, (value) => memberOf(value, name));
}

/** The rows of a part that someone changed and that differs from the program's value. */
function ifChanged(part: DifferenceRow): DifferenceRow[] {
  const { base, ours, theirs, ignoresAdditions } = part;
  if (sameInDocument(base, theirs) || sameInDocument(ours, theirs)) return [];
  return base === undefined && ignoresAdditions ? [] : inside(part);
}

function isUnordered({ field: { facts }, path, base, theirs }: DifferenceRow): boolean {
  const isSet =
    facts.additive !== undefined || facts.unordered || isNamed(facts.document?.unordered, path.slice(1));
  const values = [base, theirs];
  const isPlain = values.every(
    (value) => !Array.isArray(value) || value.every((part) => typeof part !== "object"),
  );
  return isSet === true && isPlain && values.some(Array.isArray);
}

/** The order is insignificant, so each element appears under its own text. */
function setRows(whole: DifferenceRow): DifferenceRow[] {
  const unmarked = [...whole.unmarked, whole.path];
  const elements = [whole.base, whole.theirs].flatMap((value) => (Array.isArray(value) ? value : []));
  return [...new Set(elements.map(String))]
    .map((text) =>
      partAt(whole, KEY + text, (value) =>
        Array.isArray(value) ? value.find((element) => String(element) === text) : undefined,
      ),
    )
    .filter(({ base, ours, theirs }) => !same(base, theirs) && !same(ours, theirs))
    .map((row) => ({ ...row, unmarked }));
}

function elementRows(
  whole: DifferenceRow,
  base: readonly Value[],
  theirs: readonly Value[],
): DifferenceRow[] {
  const { path, ours } = whole;
  const wanted: readonly Value[] = Array.isArray(ours) ? ours : [];
  const { pairs, relocated, removed, added } = align(base, theirs);
  const ofBase = partners(base, wanted);
  const ofTheirs = partners(theirs, wanted);
  /** An element with its index in the program, if it has one. */
  const element = (
    [from, to]: readonly [from: number | undefined, to: number | undefined],
    own: number | undefined,
  ): DifferenceRow => {
    const segment = own ?? from ?? `${ONLY_THERE}${to}`;
    return {
      ...whole,
      path: [...path, segment],
      base: from === undefined ? undefined : base[from],
      ours: own === undefined ? undefined : wanted[own],
      theirs: to === undefined ? undefined : theirs[to],
      unmarked: own === undefined ? [...whole.unmarked, path] : whole.unmarked,
    };
  };
  const rows: (readonly [number, DifferenceRow[]])[] = [
    ...pairs.map(([from, to]) => {
      const part = element([from, to], ofBase.get(from) ?? ofTheirs.get(to));
      return [to, ifChanged(part)] as const;
    }),
    ...removed.map((from) => {
      const own = ofBase.get(from);
      const isRid = own === undefined && Array.isArray(ours);
      return [from, isRid ? [] : [element([from, undefined], own)]] as const;
    }),
    ...added.map((to) => {
      const part = element([undefined, to], ofTheirs.get(to));
      return [to, sameInDocument(part.ours, part.theirs) ? [] : [part]] as const;
    }),
    ...relocated.map(([from, to]) => {
      const own = ofBase.get(from);
      const part = element([from, to], own);
      const places = { base: from, ours: own, theirs: to, isRelocated: true } as const;
      return [to, own === to || from === to ? [] : [{ ...part, ...places }]] as const;
    }),
  ];
  return rows.sort(([one], [other]) => one - other).flatMap(([, told]) => told);
}

function partners(list: readonly Value[], wanted: readonly Value[]): ReadonlyMap<number, number> {
  const { pairs, relocated } = align(list, wanted);
  return new Map<number, number>([...pairs, ...relocated].map(([one, other]: Pair) => [one, other]));
}

/** Splits a complete value that was added or removed into its leaves. A leaf is its own row. */
export function leavesOf(row: DifferenceRow): DifferenceRow[] {
  if (row.isRelocated) return [row];
  const names = new Set([...namesIn(row.base), ...namesIn(row.ours), ...namesIn(row.theirs)]);
  const leaves = [...names]
    .flatMap((name) => leavesOf(memberRow(row, name)))
    .filter(({ base, theirs }) => !sameInDocument(base, theirs));
  return leaves.length === 0 ? [row] : leaves;
}

function namesIn(value: Value | undefined): (string | number)[] {
  if (Array.isArray(value)) return value.map((_, index) => index);
  return isObject(value) ? Object.keys(value) : [];
}

/** A canonical value with each part as a person writes it, such as a duration with its units. */
export function displayValue(field: Field, value: Json, inside: Path): Json {
  const { document, spelling } = field.facts;
  const own = document === undefined ? spelling : lookUp(document.spellings, inside);
  const shown = own?.display?.(value);
  if (shown !== undefined || document === undefined) return shown ?? value;
  if (Array.isArray(value))
    return value.map((element, index) => displayValue(field, element, [...inside, index]));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, displayValue(field, member, [...inside, name])]),
  );
}
