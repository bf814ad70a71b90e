import { z } from "zod";
import { readingOf } from "../compare/forms";
import { writtenPath } from "../compare/predicted";
import { type Field, fieldNamed, fieldsOf, type Specified, unwrapped } from "../language/fields";
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

/** Whether a definition says that a path is secret: a field on the way, or a member that its document marks. */
function isSecretAt(field: Field | undefined, path: Path): boolean {
  return path.some((_, index) => isFactHere(field, path.slice(0, index + 1), 1));
}

/** The same for a walk that has asked of each path above this one; so many of its segments lead to the field. */
function isFactHere(field: Field | undefined, path: Path, depth: number): boolean {
  if (field === undefined) return false;
  const { secret, document } = field.facts;
  if (path.length === depth) return secret === true;
  // Nomad and Consul accept a member's name in any case.
  if (document?.secret !== undefined && isNamedInAnyCase(document.secret, path.slice(depth))) return true;
  const child = field.children?.find(({ name }) => name === path[depth]);
  return isFactHere(child, path, depth + 1);
}

/** Whether a path holds a secret: by the definition, or because the program marked it, or what is above or in it. */
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

/** Whether the key that a path ends with, by which an element of a list is told, is itself a secret. */
export function isSecretKey(definition: Specified, inputs: Inputs, path: Path): boolean {
  return (
    isSecretPathExactly(definition, inputs, path.slice(0, -1)) ||
    isKeyLikeMarked(markedPaths(inputs), writtenPath(definition, inputs, path))
  );
}

/**
 * Whether a value at this path must be kept encrypted as a whole: a secret, the records, or a document's text
 * with a secret anywhere in it.
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
 * Whether there may be a secret in a value that a program wrote: it holds one, or it is a document with secrets that
 * is not what it should be, so that it cannot be told where they are.
 */
export function mayHoldSecret(definition: Specified, path: Path, value: Json): boolean {
  const field = fieldNamed(definition, path[0]);
  if (field === undefined) return false;
  const isWhole = path.length === 1 && field.facts.document?.secret !== undefined;
  if (isWhole && (typeof value === "object" || typeof value === "string")) return !isEmpty(value);
  return !isEmpty(value) && ((path.length > 1 && isSecretAt(field, path)) || holdsSecret(field, path, value));
}

/** The document that a text is, as far as it can be read here or was read by its service. */
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

/** Whether the program marked its text, or anything that the text is read with: all that is read in it is secret then. */
function isTextMarked({ serviceText }: Specified, inputs: Inputs): boolean {
  if (serviceText === undefined) return false;
  const names = [serviceText.property, ...serviceText.with];
  return markedPaths(inputs).some((marked) => names.some((name) => isWithinPath(marked, name)));
}

/** Whether a property holds what was read in a text, and not the text: as a refresh writes it. */
function isReading({ serviceText }: Specified, name: string, value: unknown): boolean {
  if (serviceText === undefined) return false;
  return name === serviceText.property && typeof value === "string" && serviceText.plain(value) !== undefined;
}

/** Whether a secret stands in a value, which is none by what is above it. */
function holdsSecret(field: Field, path: Path, value: Value | undefined): boolean {
  if (isEmpty(value)) return false;
  if (path.length > 1 && isFactHere(field, path, 1)) return true;
  if (Array.isArray(value)) return value.some((part, index) => holdsSecret(field, [...path, index], part));
  return (
    isObject(value) && Object.keys(value).some((name) => holdsSecret(field, [...path, name], value[name]))
  );
}

/** Whether anything in these values must be kept encrypted; lists are searched by their elements' own facts. */
export function holdsKeptSecret(definition: Specified, values: Inputs): boolean {
  return fieldsOf(definition).some((field) => {
    const value = values[field.name];
    if (isEmpty(value)) return false;
    if (field.facts.secret || holdsSecret(field, [field.name], value)) return true;
    const inner = unwrapped(field.schema);
    if (!(inner instanceof z.ZodArray) || !Array.isArray(value)) return false;
    const { element } = inner;
    if (!(element instanceof z.ZodObject)) return false;
    // The members of a function's elements are schemas with facts, like properties.
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

/** Whether what stands at a path is a secret as a whole. */
export function isSecretPathExactly(definition: Specified, inputs: Inputs, path: Path): boolean {
  return isSecretAt(fieldNamed(definition, path[0]), path) || isMarked(inputs, path);
}

/** The same for a walk that has asked of each path above this one. */
export function isSecretHere(definition: Specified, inputs: Inputs, path: Path): boolean {
  return isFactHere(fieldNamed(definition, path[0]), path, 1) || isMarked(inputs, path);
}

/** Whether the program marked what stands at a path, or what is above it. */
export function isMarked(inputs: Inputs, path: Path): boolean {
  // Most programs mark nothing, and a document may have many paths.
  return markedPaths(inputs).length > 0 && isWithinMarked(inputs, formatPath(path));
}

function isWithinMarked(inputs: Inputs, path: string): boolean {
  return markedPaths(inputs).some((marked) => isWithinPath(path, marked));
}

/*
 * A program's marks count the elements of its own lists. What others put into such a list has no number there: a place in
 * it is secret where the same place is marked in any element of the program's.
 */

/**
 * Whether a place in an element that only others have is like one that the program marked, or like what is above or in one.
 * @param path as the program would write it; the element is there by its key
 */
export function isLikeMarked(marks: readonly string[], path: Path): boolean {
  return path.some(isKey) && marks.some((mark) => isLike(parsePath(mark), path));
}

/** Whether the key of such an element, with which the path ends, tells what is marked in others: no deeper than in the element itself. */
export function isKeyLikeMarked(marks: readonly string[], path: Path): boolean {
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
