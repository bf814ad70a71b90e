import { type Field, fieldNamed, type Specified } from "../language/fields";
import type { KnownInputs, Values } from "../language/object";
import { isSet, isWritten, valueAtDotted } from "../language/rules";
import type { Json } from "../value/json";
import { memoByObject } from "../value/memo";
import { type Path, withMemberAt, withPartAt } from "../value/path";
import { type Comparison, type Model, type OpenModel, restoredValue } from "./models";

/** One direction of a pair of exclusive properties: while `given` is set, `rival` is managed as empty. */
interface ExclusivePair {
  readonly given: string;
  readonly rival: string;
  readonly field: Field;
  readonly emptiedFirst: boolean;
  /** The property of the pair that the service computes while the other one is set. */
  readonly computed: string | undefined;
}

/**
 * The properties of a definition that exclude each other; undefined if there are none. Documents have no such pairs: they are
 * managed as one unit anyway.
 */
export const rivalsOf = memoByObject((definition: Specified): Rivals | undefined => {
  const pairs = (definition.rules ?? []).flatMap(({ exclusive }) => {
    if (exclusive === undefined) return [];
    const { pair, computed, emptiedFirst = false } = exclusive;
    return [pair, [pair[1], pair[0]] as const].flatMap(([given, rival]) => {
      const field = fieldAt(definition, rival);
      return field ? [{ given, rival, field, emptiedFirst, computed }] : [];
    });
  });
  return pairs.length === 0 ? undefined : new Rivals(pairs);
});

function fieldAt(definition: Specified, dotted: string): Field | undefined {
  const [name, ...inside] = dotted.split(".");
  return inside.reduce<Field | undefined>(
    (field, segment) => field?.children?.find((child) => child.name === segment),
    fieldNamed(definition, name),
  );
}

/** Pairs of properties that exclude each other: while one is given, the other is managed as empty. */
class Rivals {
  /** @param pairs each pair in both directions */
  constructor(private readonly pairs: readonly ExclusivePair[]) {}

  /**
   * A comparison that writes the rival of each given property as empty in the program's models, if the service has the rival
   * set. The rival then shows as drift, is checked for conflicts, and is emptied.
   * @param current a later response of the service
   */
  emptied(comparison: Comparison, current: Model = {}): Comparison {
    const { lastApplied, desired, baseline, observed } = comparison;
    const pairs = this.#setIn(desired, [baseline, observed, current]).filter(({ rival }) => {
      const [name = "", inside] = rival.split(".");
      // Dropping a structure also drops everything inside it.
      return inside === undefined || desired[name] !== undefined || lastApplied[name] === undefined;
    });
    if (pairs.length === 0) return comparison;
    const before = pairs.filter((pair) => isRivalManaged(lastApplied, pair));
    return {
      ...comparison,
      desired: withEmpty(desired, pairs),
      lastApplied: withEmpty(lastApplied, before),
    };
  }

  /** Writes such rivals as empty in a single model of a program. */
  emptiedIn(wanted: Model, there: Model): Model {
    return withEmpty(wanted, this.#setIn(wanted, [there]));
  }

  /**
   * Finds the dropped properties that an update does not restore: the service has another user's value of the property that
   * excludes them. It therefore has no value for them, and would reject their default.
   */
  setByOthers({ desired, observed }: Comparison): (path: Path) => boolean {
    const excluded = this.pairs.filter(({ given, rival, computed }) => {
      const isDropped = [given, rival].every((name) => valueAtDotted(desired, name) === undefined);
      return isDropped && given !== computed && isSet(valueAtDotted(observed, given));
    });
    return (path) => excluded.some(({ rival }) => rival === path.join("."));
  }

  /** The service's values of rivals that are managed as empty, by dotted names, in the form that a program would write. */
  held(
    lastApplied: Values,
    baseline: Model,
    observed: Model,
  ): { rival: string; field: Field; value: Json }[] {
    return this.#setIn(lastApplied, [observed]).flatMap(({ rival, field }) => {
      const value = valueAtDotted(observed, rival);
      return value === undefined || value === valueAtDotted(baseline, rival) ? [] : [{ rival, field, value }];
    });
  }

  /**
   * The rivals of changed properties that the service has set but no model shows, because they are write-only. An update must
   * empty them.
   */
  writeOnly(
    inputs: Values,
    changed: ReadonlySet<unknown>,
    current: { readonly [member: string]: Json },
  ): Field[] {
    return this.pairs
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

  /** The dotted names of the properties that the service computes next to these inputs. */
  computed(inputs: Values): string[] {
    return this.pairs
      .filter(({ computed, given, rival }) => rival === computed && isSet(valueAtDotted(inputs, given)))
      .map(({ rival }) => rival);
  }

  /** The inputs without these properties. */
  withoutComputed(inputs: Values): Values {
    return this.computed(inputs).reduce((rest, dotted) => without(rest, dotted), inputs);
  }

  /**
   * The first of two updates; undefined if one update is enough. Two are necessary if the program sets one property of a pair,
   * the service has the other, and the service rejects even an empty value next to it.
   * @returns the values to write, without those that replace the emptied properties; and as lastApplied the part of them that
   * the program writes, without an empty value that replaces another user's value
   */
  emptyingUpdate(
    inputs: KnownInputs,
    lastApplied: KnownInputs,
    changes: readonly { readonly path: Path }[],
  ): { inputs: KnownInputs; lastApplied: KnownInputs } | undefined {
    const isChanged = (dotted: string) =>
      changes.some(({ path }) => `${dotted}.`.startsWith(`${path.join(".")}.`));
    const pairs = this.#toEmptyFirst(inputs).filter(
      ({ given, rival }) => isChanged(rival) && isChanged(given),
    );
    if (pairs.length === 0) return undefined;
    // The update drops values that the program wrote before, and empties values that another user set by writing an empty one.
    const others = pairs.filter(
      ({ rival }) =>
        !isSet(valueAtDotted(lastApplied, rival)) && changes.some(({ path }) => path.join(".") === rival),
    );
    const withoutGiven = (all: KnownInputs) => pairs.reduce((rest, { given }) => without(rest, given), all);
    return { inputs: withoutGiven(withEmpty(inputs, others)), lastApplied: withoutGiven(inputs) };
  }

  /** The inputs for a create: an empty value next to its rival has no meaning, so the create omits it. */
  withoutEmptied<I extends Values>(inputs: I): I {
    return this.#toEmptyFirst(inputs).reduce((rest, { rival }) => without(rest, rival), inputs);
  }

  #setIn(program: OpenModel, there: readonly Model[]): ExclusivePair[] {
    const isSetIn = (model: Model, { rival, field }: ExclusivePair) => {
      const value = valueAtDotted(model, rival);
      return isSet(value) && value !== restoredValue(field);
    };
    return this.pairs.filter(
      (pair) => isRivalManaged(program, pair) && there.some((model) => isSetIn(model, pair)),
    );
  }

  #toEmptyFirst(inputs: Values): ExclusivePair[] {
    return this.pairs.filter(
      ({ emptiedFirst, given, rival }) =>
        emptiedFirst && isSet(valueAtDotted(inputs, given)) && !isSet(valueAtDotted(inputs, rival)),
    );
  }
}

function isRivalManaged(program: OpenModel, { given, rival, computed }: ExclusivePair): boolean {
  const isRivalWritten = isWritten(valueAtDotted(program, rival));
  return rival !== computed && isSet(valueAtDotted(program, given)) && !isRivalWritten;
}

function withEmpty<M extends OpenModel>(model: M, pairs: readonly ExclusivePair[]): M {
  return pairs.reduce((emptied, { rival, field: { facts } }) => {
    const empty = [facts.default, facts.empty].find((value) => isWritten(value) && !isSet(value)) ?? "";
    return withMemberAt(emptied, rival.split("."), empty);
  }, model);
}

function without<I extends Values>(inputs: I, dotted: string): I {
  return withPartAt(inputs, dotted.split("."), undefined);
}
