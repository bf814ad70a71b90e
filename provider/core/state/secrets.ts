import { z } from "zod";
import { writtenPath } from "../diff/project";
import { type Field, fieldNamed, fieldsOf, type Specified, unwrapped } from "../language/fields";
import { readingOf } from "../language/serviceText";
import { asideOf } from "../value/aside";
import { isEmpty } from "../value/equality";
import { isObject, type Json } from "../value/json";
import {
  formatPath,
  isNamedInAnyCase,
  isWithinPath,
  KEY,
  ONLY_THERE,
  type Path,
  parsePath,
} from "../value/path";
import type { Inputs, Value } from "../value/unknown";
import { RECORDS } from "./records";

/** True if a definition declares a path secret: by a field on the path, or by a member that its document marks. */
function isSecretAt(field: Field | undefined, path: Path): boolean {
  return path.some((_, index) => isFactHere(field, path.slice(0, index + 1), 1));
}

/**
 * The same for one path only, if the caller has already checked all paths above it. The first `depth` segments lead to the
 * field.
 */
function isFactHere(field: Field | undefined, path: Path, depth: number): boolean {
  if (field === undefined) return false;
  const { secret, document } = field.facts;
  if (path.length === depth) return secret === true;
  // Nomad and Consul accept a member's name in any case.
  if (document?.secret !== undefined && isNamedInAnyCase(document.secret, path.slice(depth))) return true;
  const child = field.children?.find(({ name }) => name === path[depth]);
  return isFactHere(child, path, depth + 1);
}

/** True if a path contains a secret: by the definition, or because the program marked the path, a parent or a part of it. */
export function isSecretPath(definition: Specified, inputs: Inputs, path: Path): boolean {
  const own = writtenPath(definition, inputs, path);
  const text = formatPath(own);
  return (
    isSecretPathExactly(definition, inputs, path) ||
    isWithinMarked(inputs, text) ||
    (path[0] === definition.serviceText?.property && isTextMarked(definition, inputs)) ||
    markedPaths(inputs).some((marked) => isWithinPath(marked, text)) ||
    isLikeMarked(markedPaths(inputs), own)
  );
}

/** True if the key at the end of a path, which identifies an element of a list, is itself a secret. */
export function isSecretKey(definition: Specified, inputs: Inputs, path: Path): boolean {
  return (
    isSecretPathExactly(definition, inputs, path.slice(0, -1)) ||
    isKeyLikeMarked(markedPaths(inputs), writtenPath(definition, inputs, path))
  );
}

/**
 * True if the complete value at this path must be stored encrypted. This applies to secrets, the records, and the text of a
 * document that contains a secret.
 */
export function isKeptSecret(definition: Specified, inputs: Inputs, path: Path, value: unknown): boolean {
  if (path.length === 1 && path[0] === RECORDS) return true;
  if (isEmpty(value)) return false;
  if (isSecretPathExactly(definition, inputs, path)) return true;
  const field = path.length === 1 && fieldNamed(definition, path[0]);
  if (!field) return false;
  if (isReading(definition, field.name, value) && isTextMarked(definition, inputs)) return true;
  if (typeof value !== "string" || field.facts.document?.secret === undefined) return false;
  if ((field.facts.secretsIn?.(value) ?? []).length > 0) return true;
  return holdsSecret(field, [field.name], documentIn(definition, field, inputs, value));
}

/**
 * True if a value that a program wrote may contain a secret. This includes a malformed document with secrets, because their
 * places cannot be determined.
 */
export function mayHoldSecret(definition: Specified, path: Path, value: Json): boolean {
  const field = fieldNamed(definition, path[0]);
  if (field === undefined) return false;
  const isWhole = path.length === 1 && field.facts.document?.secret !== undefined;
  if (isWhole && (typeof value === "object" || typeof value === "string")) return !isEmpty(value);
  return !isEmpty(value) && ((path.length > 1 && isSecretAt(field, path)) || holdsSecret(field, path, value));
}

/** The document in a text, if this package can parse the text or its service has parsed it. */
export function documentIn(
  definition: Specified,
  field: Field,
  inputs: Inputs,
  text: string,
): Json | undefined {
  const { serviceText } = definition;
  const read =
    serviceText?.property === field.name ? readingOf(serviceText, { ...inputs, [field.name]: text }) : text;
  return read === undefined ? undefined : field.facts.spelling?.canonical(read);
}

/**
 * True if the program marked its text, or an input that the text is parsed with. The complete parsed document is then
 * secret.
 */
function isTextMarked({ serviceText }: Specified, inputs: Inputs): boolean {
  if (serviceText === undefined) return false;
  const names = [serviceText.property, ...serviceText.with];
  return markedPaths(inputs).some((marked) => names.some((name) => isWithinPath(marked, name)));
}

/** True if a property contains the parsed document instead of the text, as a refresh writes it. */
function isReading({ serviceText }: Specified, name: string, value: unknown): boolean {
  if (serviceText === undefined) return false;
  return name === serviceText.property && typeof value === "string" && serviceText.plain(value) !== undefined;
}

/** True if a value contains a secret, apart from secrets in its parents. */
function holdsSecret(field: Field, path: Path, value: Value | undefined): boolean {
  if (isEmpty(value)) return false;
  if (path.length > 1 && isFactHere(field, path, 1)) return true;
  if (Array.isArray(value)) return value.some((part, index) => holdsSecret(field, [...path, index], part));
  return (
    isObject(value) && Object.keys(value).some((name) => holdsSecret(field, [...path, name], value[name]))
  );
}

/** True if any of these values must be stored encrypted. Searches lists by the facts of their elements. */
export function holdsKeptSecret(definition: Specified, values: Inputs): boolean {
  return fieldsOf(definition).some((field) => {
    const value = values[field.name];
    if (isEmpty(value)) return false;
    if (field.facts.secret || holdsSecret(field, [field.name], value)) return true;
    const inner = unwrapped(field.schema);
    if (!(inner instanceof z.ZodArray) || !Array.isArray(value)) return false;
    const { element } = inner;
    if (!(element instanceof z.ZodObject)) return false;
    // The members of a function's elements are schemas with facts, as properties are.
    const fields = element.shape as Record<string, z.ZodType>;
    const { service, token, doc, section } = definition;
    const each: Specified = { token, doc, section, service, fields };
    return value.some((item) => isObject(item) && holdsKeptSecret(each, item));
  });
}

/** The paths that the program itself marked. */
function markedPaths(inputs: Inputs): readonly string[] {
  return asideOf(inputs).secrets ?? [];
}

/** True if the complete value at a path is a secret. */
export function isSecretPathExactly(definition: Specified, inputs: Inputs, path: Path): boolean {
  return isSecretAt(fieldNamed(definition, path[0]), path) || isMarked(inputs, path);
}

/** The same for one path only, if the caller has already checked all paths above it. */
export function isSecretHere(definition: Specified, inputs: Inputs, path: Path): boolean {
  return isFactHere(fieldNamed(definition, path[0]), path, 1) || isMarked(inputs, path);
}

/** True if the program marked the value at a path, or one of its parents. */
export function isMarked(inputs: Inputs, path: Path): boolean {
  // Most programs mark nothing, and a document may have many paths.
  return markedPaths(inputs).length > 0 && isWithinMarked(inputs, formatPath(path));
}

function isWithinMarked(inputs: Inputs, path: string): boolean {
  return markedPaths(inputs).some((marked) => isWithinPath(path, marked));
}

/*
 * A program's marks use the indexes of its own lists. Elements that others added to such a list have no such index. A place
 * in one of these is secret if the program marked the same place in any element of its own.
 */

/**
 * True if a place in an element that only others added matches a marked place of the program, or a parent or a part of one.
 * @param path the path as the program would write it, with the element's key
 */
function isLikeMarked(marks: readonly string[], path: Path): boolean {
  return path.some(isKey) && marks.some((mark) => isLike(parsePath(mark), path));
}

/**
 * True if the key of such an element, at the end of the path, would reveal a value that is marked in other elements. Only
 * marks on the element and its direct members count.
 */
function isKeyLikeMarked(marks: readonly string[], path: Path): boolean {
  if (!isKey(path.at(-1))) return false;
  return marks.map(parsePath).some((mark) => mark.length <= path.length + 1 && isLike(mark, path));
}

function isLike(mark: Path, path: Path): boolean {
  return mark
    .slice(0, path.length)
    .every(
      (segment, index) => segment === path[index] || (typeof segment === "number" && isElement(path[index])),
    );
}

function isElement(segment: string | number | undefined): boolean {
  return typeof segment === "number" || isKey(segment) || segment?.startsWith(ONLY_THERE) === true;
}

function isKey(segment: string | number | undefined): boolean {
  return typeof segment === "string" && segment.startsWith(KEY);
}
