import type { Field } from "../language/fields";
import type { Observation, Values } from "../language/object";
import type { Definition } from "../language/resource";
import { isLink } from "../language/role";
import { isEmpty } from "../value/equality";
import { isObject, type Json } from "../value/json";
import { isNamed, matches, type Path } from "../value/path";
import type { Difference } from "./comparison";
import { sameAt } from "./entries";
import { withRivalsEmptiedIn } from "./exclusive";
import { formsIn } from "./forms";
import { memberFor, modelOfBody, modelOfInputs } from "./model";
import { insideOf, positionsIn, type Visitor, visit } from "./walk";

/** The paths of the program's values that an object does not contain. */
export function missingPaths(definition: Definition, inputs: Values, current: Observation): Path[] {
  return missingIn(definition, inputs, current).map(({ path }) => path);
}

/** The same differences with their values, under the names that the program uses. */
export function missingAsWritten(definition: Definition, inputs: Values, current: Observation): Difference[] {
  return missingIn(definition, inputs, current, formsIn(definition, inputs));
}

function missingIn(
  definition: Definition,
  inputs: Values,
  current: Observation,
  forms?: ReadonlyMap<string, Field>,
): Difference[] {
  const there = modelOfBody(definition, current.body, inputs);
  const wanted = withRivalsEmptiedIn(definition, modelOfInputs(definition, inputs), there);
  return positionsIn(definition, { models: { wanted, there }, inputs, forms }).flatMap((position) => {
    const { field, manner, values } = position;
    if (manner === "writeOnly" || isLink(field.facts) || values.wanted === undefined) return [];
    const isElsewhere = movesElsewhere(definition, field, current);
    return visit(missing, position).filter(({ path }) => !isElsewhere(path));
  });
}

/**
 * Tests for paths in a document that the program does not control: members that others change, and members that the service
 * copies to nested objects.
 */
export function movesElsewhere(
  definition: Definition,
  field: Field,
  { body }: Observation,
): (path: Path) => boolean {
  const { document } = field.facts;
  const floating = document?.floats?.(memberFor(definition, field, body) ?? null) ?? [];
  const elsewhere = [...floating, ...(document?.handedDown ?? [])];
  return (path) => elsewhere.some((pattern) => matches(pattern, path.slice(1), true));
}

const missing: Visitor<"wanted" | "there", Difference[], Json> = {
  enters({ manner, values: { wanted, there } }) {
    if (manner === "writeOnly") return false;
    if (Array.isArray(wanted) && Array.isArray(there)) return wanted.length === there.length;
    return isObject(wanted) && isObject(there);
  },
  whole(position) {
    const { field, manner, path, values } = position;
    const { wanted, there } = values;
    const lacks = { path, field, from: wanted, to: there };
    if (wanted === undefined || manner === "writeOnly") return [];
    const { blocks, dropped } = field.facts.document ?? {};
    if (there === undefined && isObject(wanted) && isNamed(blocks, insideOf(position)))
      return isNamed(dropped, insideOf(position)) && isZero(wanted) ? [] : [lacks];
    return sameAt(field, path, wanted, there) ? [] : [lacks];
  },
  parts: (_, results) => results.flatMap(({ result }) => result),
};

function isZero(value: Json | undefined): boolean {
  if (isObject(value)) return Object.values(value).every(isZero);
  return value === false || value === 0 || isEmpty(value);
}
