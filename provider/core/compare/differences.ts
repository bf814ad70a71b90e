import type { Field, Specified } from "../language/fields";
import { sameInDocument } from "../value/equality";
import { isObject, type Json } from "../value/json";
import type { Path } from "../value/path";
import type { Model } from "./model";
import { positionOf, positionsIn, type Visitor, visit } from "./walk";

/** A position at which two models differ, as deep as both hold objects. */
export interface Difference {
  readonly path: Path;
  readonly field: Field;
  readonly from: Json | undefined;
  readonly to: Json | undefined;
}

/** Where two models of an object differ, whoever manages it. */
export function differencesIn(
  definition: Specified,
  from: Model,
  to: Model,
  forms?: ReadonlyMap<string, Field>,
): Difference[] {
  return positionsIn(definition, { models: { from, to }, forms }).flatMap((position) =>
    visit(different, position),
  );
}

/** Where two values of a property differ. */
export function differencesOf(field: Field, from: Json | undefined, to: Json | undefined): Difference[] {
  return visit(different, positionOf(field, { from, to }));
}

const different: Visitor<"from" | "to", Difference[], Json> = {
  // What is equal as a whole is not looked into: a few members of thousands differ.
  enters: ({ values: { from, to } }) => isObject(from) && isObject(to) && !sameInDocument(from, to),
  whole: ({ path, field, values: { from, to } }) =>
    sameInDocument(from, to) ? [] : [{ path, field, from, to }],
  parts: (_, results) => results.flatMap(({ result }) => result),
};
