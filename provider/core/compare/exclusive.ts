import { type DefinitionBase, type Field, fieldNamed, type Specified } from "../language/fields";
import type { KnownInputs, Values } from "../language/object";
import { isSet, valueAtDotted } from "../language/rules";
import { isObject, type Json } from "../value/json";
import { memoByObject } from "../value/memo";
import type { Path } from "../value/path";
import { UNKNOWN, type Value } from "../value/unknown";
import { type Comparison, restoredValue } from "./comparison";
import type { Model } from "./model";

/** One direction of a pair of exclusive properties: while `given` is set, `rival` is managed as empty. */
interface ExclusivePair {
  readonly given: string;
  readonly rival: string;
  readonly field: Field;
  readonly emptiedFirst: boolean;
  /** The property of the pair that the service computes while the other one is set. */
  readonly computed: string | undefined;
}

type OpenModel = Readonly<Record<string, Value | undefined>>;

/** Each pair in both directions. Documents have no pairs: they are managed as one unit anyway. */
const pairsOf = memoByObject((definition: Specified): readonly ExclusivePair[] =>
  (definition.rules ?? []).flatMap(({ exclusive }) => {
    if (exclusive === undefined) return [];
    const { pair, computed, emptiedFirst = false } = exclusive;
    return [pair, [pair[1], pair[0]] as const].flatMap(([given, rival]) => {
      const field = fieldAt(definition, rival);
      return field ? [{ given, rival, field, emptiedFirst, computed }] : [];
    });
  }),
);

function fieldAt(definition: Specified, dotted: string): Field | undefined {
  const [name, ...inside] = dotted.split(".");
  return inside.reduce<Field | undefined>(
    (field, segment) => field?.children?.find((child) => child.name === segment),
    fieldNamed(definition, name),
  );
}

/**
 * A comparison that writes the rival of each given property as empty in the program's models, if the service has the rival
 * set. The rival then shows as drift, is checked for conflicts, and is emptied.
 * @param current a later response of the service
 */
export function withRivalsEmptied(
  definition: Specified,
  comparison: Comparison,
  current: Model = {},
): Comparison {
  const { lastApplied, desired, baseline, observed } = comparison;
  const pairs = rivalsSet(definition, desired, [baseline, observed, current]).filter(
    // Dropping a structure also drops everything inside it.
    ({ rival }) =>
      !isNested(rival) || desired[first(rival)] !== undefined || lastApplied[first(rival)] === undefined,
  );
  if (pairs.length === 0) return comparison;
  const before = pairs.filter((pair) => isRivalManaged(lastApplied, pair));
  return {
    ...comparison,
    desired: pairs.reduce(emptied, desired),
    lastApplied: before.reduce(emptied, lastApplied) as Model,
  };
}

/** Writes such rivals as empty in a single model of a program. */
export function withRivalsEmptiedIn(definition: Specified, wanted: Model, there: Model): Model {
  return rivalsSet(definition, wanted, [there]).reduce(emptied, wanted) as Model;
}

/**
 * Finds the dropped properties that an update does not restore: the service has another user's value of the property that
 * excludes them. It therefore has no value for them, and would reject their default.
 */
export function excludedIn(
  definition: Specified,
  { desired, observed }: Comparison,
): (path: Path) => boolean {
  const excluded = pairsOf(definition).filter(({ given, rival, computed }) => {
    const written = [given, rival].map((name) => valueAtDotted(desired as Values, name));
    const isOthers = given !== computed && isSet(valueAtDotted(observed as Values, given));
    return isOthers && written.every((value) => value === undefined);
  });
  return (path) => excluded.some(({ rival }) => rival === path.join("."));
}

/** The service's values of rivals that are managed as empty, by dotted names, in the form that a program would write. */
export function rivalsHeld(
  definition: Specified,
  lastApplied: Values,
  baseline: Model,
  observed: Model,
): { rival: string; field: Field; value: Json }[] {
  return rivalsSet(definition, lastApplied, [observed]).flatMap(({ rival, field }) => {
    const [before, now] = [baseline, observed].map((model) => valueAtDotted(model as Values, rival));
    return now === undefined || now === before ? [] : [{ rival, field, value: now }];
  });
}

/**
 * The rivals of changed properties that the service has set but no model shows, because they are write-only. An update must
 * empty them.
 */
export function writeOnlyRivals(
  definition: Specified,
  inputs: Values,
  changed: ReadonlySet<unknown>,
  current: { readonly [member: string]: Json },
): Field[] {
  return pairsOf(definition)
    .filter(
      (pair) =>
        pair.field.facts.writeOnly !== undefined &&
        changed.has(pair.given) &&
        !changed.has(pair.rival) &&
        isRivalManaged(inputs, pair) &&
        isSet(current[pair.field.wire]),
    )
    .map(({ field }) => field);
}

/** The inputs without the properties that the service computes next to other inputs. */
export function withoutComputed(definition: Specified, inputs: Values): Values {
  return computedNextTo(definition, inputs).reduce((rest, dotted) => without(rest, dotted), inputs);
}

/** The dotted names of the properties that the service computes next to these inputs. */
export function computedNextTo(definition: Specified, inputs: Values): string[] {
  return pairsOf(definition)
    .filter(({ computed, given, rival }) => rival === computed && isSet(valueAtDotted(inputs, given)))
    .map(({ rival }) => rival);
}

function rivalsSet(definition: Specified, program: OpenModel, there: readonly Model[]) {
  return pairsOf(definition).filter(
    (pair) =>
      isRivalManaged(program, pair) &&
      there.some((model) => isSetOnService(pair.field, valueAtDotted(model as Values, pair.rival))),
  );
}

function isRivalManaged(program: OpenModel, { given, rival, computed }: ExclusivePair): boolean {
  const [own, other] = [given, rival].map(
    (name) => valueAtDotted(program as Values, name) as Value | undefined,
  );
  return rival !== computed && (own === UNKNOWN || isSet(own as Json)) && (other ?? null) === null;
}

function isSetOnService(field: Field, value: Json | undefined): boolean {
  return isSet(value) && value !== restoredValue(field);
}

function emptied(model: OpenModel, { rival, field: { facts } }: ExclusivePair): OpenModel {
  const empty = [facts.default, facts.empty].find((value) => (value ?? null) !== null && !isSet(value)) ?? "";
  return withAt(model, rival.split("."), empty);
}

function withAt(model: OpenModel, [name = "", ...inside]: readonly string[], to: Json): OpenModel {
  const own = model[name];
  if (inside.length === 0) return { ...model, [name]: to };
  return { ...model, [name]: { ...withAt(isObject(own) ? own : {}, inside, to) } as Value };
}

/** The first of two updates. */
interface FirstUpdate {
  /** The values to write: everything except the values that replace the emptied properties. */
  readonly inputs: KnownInputs;
  /** The part of these that the program writes. An empty value that replaces another user's value is not part of it. */
  readonly lastApplied: KnownInputs;
}

/**
 * The first of two updates; undefined if one update is enough. Two are necessary if the program sets one property of a pair,
 * the service has the other, and the service rejects even an empty value next to it.
 */
export function emptyingUpdate(
  definition: DefinitionBase,
  inputs: KnownInputs,
  lastApplied: KnownInputs,
  changes: readonly { readonly path: Path }[],
): FirstUpdate | undefined {
  const isChanged = (name: string) => changes.some(({ path }) => isAtOrAbove(path, name.split(".")));
  const pairs = emptiedFirstIn(definition, inputs).filter(
    ({ given, rival }) => isChanged(rival) && isChanged(given),
  );
  if (pairs.length === 0) return undefined;
  // The update drops values that the program wrote before, and empties values that another user set by writing an empty one.
  const others = pairs.filter(
    ({ rival }) =>
      !isSet(valueAtDotted(lastApplied, rival)) && changes.some(({ path }) => path.join(".") === rival),
  );
  const withoutGiven = (all: KnownInputs) => pairs.reduce((rest, { given }) => without(rest, given), all);
  return {
    inputs: withoutGiven(others.reduce<OpenModel>(emptied, inputs) as KnownInputs),
    lastApplied: withoutGiven(inputs),
  };
}

/** The inputs for a create: an empty value next to its rival has no meaning, so the create omits it. */
export function withoutEmptied<I extends Values>(definition: DefinitionBase, inputs: I): I {
  return emptiedFirstIn(definition, inputs).reduce((rest, { rival }) => without(rest, rival), inputs);
}

function emptiedFirstIn(definition: DefinitionBase, inputs: Values): ExclusivePair[] {
  return pairsOf(definition).filter(
    ({ emptiedFirst, given, rival }) =>
      emptiedFirst && isSet(valueAtDotted(inputs, given)) && !isSet(valueAtDotted(inputs, rival)),
  );
}

function isNested(dotted: string): boolean {
  return dotted.includes(".");
}

function first(dotted: string): string {
  return dotted.split(".")[0] ?? "";
}

function isAtOrAbove(path: Path, names: readonly string[]): boolean {
  return path.length > 0 && path.every((segment, index) => segment === names[index]);
}

function without<I extends Values>(inputs: I, dotted: string): I {
  const [name = "", ...inside] = dotted.split(".");
  const { [name]: value, ...others } = inputs;
  if (inside.length === 0 || !isObject(value)) return inside.length === 0 ? (others as unknown as I) : inputs;
  return { ...inputs, [name]: without(value, inside.join(".")) };
}
