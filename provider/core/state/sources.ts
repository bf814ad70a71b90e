import { formsIn } from "../diff/forms";
import { modelOfInputs } from "../diff/models";
import { writtenPath } from "../diff/project";
import { type Field, fieldNamed, fieldsOf, type Specified } from "../language/fields";
import { isWritable } from "../language/role";
import { fingerprintsIn, type SecretSource, sourceIn } from "../value/fingerprint";
import { isNamedInAnyCase, type Path } from "../value/path";
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
    .flatMap((field) => sourcesAt(field, [field.name], inputs[field.name]));
}

function sourcesAt(field: Field, path: Path, value: unknown): Sourced[] {
  if (typeof value !== "object" || value === null) return [];
  const source = sourceIn(value);
  if (source !== undefined && takesSource(field, path.slice(1))) return [{ path, source }];
  if (Array.isArray(value)) return value.flatMap((part, index) => sourcesAt(field, [...path, index], part));
  return Object.entries(value).flatMap(([name, part]) => sourcesAt(field, [...path, name], part));
}

/**
 * True for a secret property, for an element of a secret list, and for a member that a document's pattern names from its
 * root. A pattern for any depth (`**`) names no place for a source.
 */
function takesSource({ facts, children = [] }: Field, path: Path): boolean {
  const [segment, ...inside] = path;
  if (segment === undefined) return facts.secret === true;
  if (facts.secret) return typeof segment === "number" && inside.length === 0;
  const patterns = facts.document?.secret?.filter((pattern) => !pattern.startsWith("**"));
  const child = children.find(({ name }) => name === segment);
  return isNamedInAnyCase(patterns, path) || (child !== undefined && takesSource(child, inside));
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
