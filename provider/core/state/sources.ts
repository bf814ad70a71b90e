import { formsIn } from "../compare/forms";
import { modelOfInputs } from "../compare/model";
import { writtenPath } from "../compare/predicted";
import { type Field, fieldNamed, fieldsOf, type Specified } from "../language/fields";
import { isWritable } from "../language/role";
import { isObject } from "../value/json";
import { type Path, valueAt } from "../value/path";
import { type SecretSource, sealsIn, sourceIn } from "../value/sealing";
import type { Inputs } from "../value/unknown";

/** A place in what a program writes, and the source that it says there. */
export interface Sourced {
  readonly path: Path;
  readonly source: SecretSource;
}

/**
 * Where a program says where a secret is, in place of the secret. Only where the definition has a secret: the same object
 * anywhere else, as in a free document, is an object.
 */
export function sourcesIn(definition: Specified, inputs: Inputs): Sourced[] {
  return fieldsOf(definition)
    .filter(({ facts }) => isWritable(facts))
    .flatMap((field) => placesIn(field, inputs[field.name], [field.name]))
    .flatMap((path) => {
      const source = sourceIn(valueAt(inputs, path));
      return source === undefined ? [] : [{ path, source }];
    });
}

/** The places of a field's value that are secret by its definition. */
function placesIn({ facts, children = [] }: Field, value: unknown, at: Path): Path[] {
  if (typeof value !== "object" || value === null) return [];
  if (facts.secret) return Array.isArray(value) ? value.map((_, index) => [...at, index]) : [at];
  // Several spellings of one member differ in case alone.
  const patterns = new Set((facts.document?.secret ?? []).map((pattern) => pattern.toLowerCase()));
  const inDocument = [...patterns].flatMap((pattern) => namedIn(value, pattern.split("."), at));
  const inside = isObject(value)
    ? children.flatMap((child) => placesIn(child, value[child.name], [...at, child.name]))
    : [];
  return [...inDocument, ...inside];
}

/** The paths that a pattern in lower case names in a value; `*` is any one segment. */
function namedIn(value: unknown, [part, ...rest]: readonly string[], at: Path): Path[] {
  if (part === undefined) return [at];
  const whole: Path[] = Array.isArray(value)
    ? value.map((_, index) => [index])
    : isObject(value)
      ? Object.keys(value).map((name) => [name])
      : [];
  return whole
    .filter(([segment]) => part === "*" || String(segment).toLowerCase() === part)
    .flatMap((step) => namedIn(valueAt(value, step), rest, [...at, ...step]));
}

/** The places at which inputs hold seals, in the form in which they are compared. */
export function sealedPlaces(definition: Specified, inputs: Inputs): Path[] {
  return sealsIn(modelOfInputs(definition, inputs));
}

/** Where a compared place stands in what a program writes, in the form in which it writes that. */
export function placeAsWritten(definition: Specified, inputs: Inputs, [name = "", ...inside]: Path): Path {
  const form = formsIn(definition, inputs).get(String(name))?.name ?? name;
  return writtenPath(definition, inputs, [form, ...inside]);
}

/** Where a compared place stands in an object as its service answers it; undefined where it does not. */
export function placeInBody(definition: Specified, [name, ...inside]: Path): Path | undefined {
  const field = fieldNamed(definition, name);
  if (field === undefined) return undefined;
  if (field.wire === ".") return inside;
  const path: (string | number)[] = [field.wire];
  let at: Field | undefined = field;
  for (const segment of inside) {
    at = at?.children?.find((child) => child.name === segment);
    path.push(at?.wire ?? segment);
  }
  return path;
}
