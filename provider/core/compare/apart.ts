import type { Values } from "../language/object";
import { isGiven, valueAtDotted } from "../language/rules";
import type { DefinitionBase } from "../language/specified";
import { isObject } from "../value/json";
import type { Path } from "../value/path";
import type { Change } from "./changes";

/**
 * The inputs for the first of two updates, where a program moves from one side of a pair to the other and the service
 * refuses even the empty value of one beside the other: everything but what comes in the emptied ones' place. None where
 * one update is enough.
 */
export function withoutRivals(
  definition: DefinitionBase,
  inputs: Values,
  changes: readonly Change[],
): Values | undefined {
  const isChanged = (name: string) => changes.some(({ path }) => isAtOrAbove(path, name.split(".")));
  const rivals = pairsIn(definition).flatMap(([emptied, rival]) =>
    isEmptied(inputs, emptied, rival) && isChanged(emptied) && isChanged(rival) ? [rival] : [],
  );
  return rivals.length === 0 ? undefined : rivals.reduce(without, inputs);
}

/** What a create sends: an empty value beside its rival says nothing, and is left out. */
export function withoutEmptied(definition: DefinitionBase, inputs: Values): Values {
  return pairsIn(definition)
    .filter(([emptied, rival]) => isEmptied(inputs, emptied, rival))
    .reduce((left, [emptied]) => without(left, emptied), inputs);
}

/** Each pair, both ways round. */
function pairsIn({ rules = [] }: DefinitionBase): (readonly [string, string])[] {
  return rules.flatMap(({ apart }) => (apart ? [apart, [apart[1], apart[0]] as const] : []));
}

function isEmptied(inputs: Values, emptied: string, rival: string): boolean {
  const [own, other] = [emptied, rival].map((name) => valueAtDotted(inputs, name));
  return !isGiven(own) && isGiven(other);
}

function isAtOrAbove(path: Path, names: readonly string[]): boolean {
  return path.length > 0 && path.every((segment, index) => segment === names[index]);
}

function without(inputs: Values, dotted: string): Values {
  const [name = "", ...inside] = dotted.split(".");
  const { [name]: value, ...others } = inputs;
  if (inside.length === 0 || !isObject(value)) return inside.length === 0 ? others : inputs;
  return { ...inputs, [name]: without(value, inside.join(".")) };
}
