import { writtenPath } from "../compare/asWritten";
import { formsIn } from "../compare/forms";
import { modelOfInputs } from "../compare/model";
import { type Field, fieldNamed, fieldsOf, type Specified } from "../language/fields";
import { isWritable } from "../language/role";
import { fingerprintsIn, type SecretSource, sourceIn } from "../value/fingerprint";
import { isObject } from "../value/json";
import { type Path, valueAt } from "../value/path";
import type { Inputs } from "../value/unknown";

/** A path in a program's inputs, and the source of the secret that the program gives there. */
export interface Sourced {
  readonly path: Path;
  readonly source: SecretSource;
}

/**
 * The paths at which a program gives a secret's source instead of the secret. Only paths that the definition declares secret
 * count: the same object elsewhere, such as in a free document, is an ordinary object.
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

/** The paths in a field's value that are secret by its definition. */
function placesIn({ facts, children = [] }: Field, value: unknown, at: Path): Path[] {
  if (typeof value !== "object" || value === null) return [];
  if (facts.secret) return Array.isArray(value) ? value.map((_, index) => [...at, index]) : [at];
  // Several spellings of a member differ only in case.
  const patterns = new Set((facts.document?.secret ?? []).map((pattern) => pattern.toLowerCase()));
  const inDocument = [...patterns].flatMap((pattern) => namedIn(value, pattern.split("."), at));
  const inside = isObject(value)
    ? children.flatMap((child) => placesIn(child, value[child.name], [...at, child.name]))
    : [];
  return [...inDocument, ...inside];
}

/** The paths in a value that match a lower-case pattern; `*` matches any one segment. */
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

/** The paths in inputs that contain fingerprints, in the form used for comparison. */
export function fingerprintedPlaces(definition: Specified, inputs: Inputs): Path[] {
  return fingerprintsIn(modelOfInputs(definition, inputs));
}

/** The path in the program's inputs, in the program's form, of a path in the compared form. */
export function placeAsWritten(definition: Specified, inputs: Inputs, [name = "", ...inside]: Path): Path {
  const form = formsIn(definition, inputs).get(String(name))?.name ?? name;
  return writtenPath(definition, inputs, [form, ...inside]);
}

/** The path in the server's object of a path in the compared form; undefined if there is no such field. */
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
