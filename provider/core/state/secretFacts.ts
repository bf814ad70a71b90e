import { z } from "zod";
import { type Field, fieldNamed, fieldsOf, innerSchema, type Specified } from "../language/fields";
import { isObject, type Json } from "../value/json";
import { isNamedInAnyCase, KEY, ONLY_THERE, type Path, parsePath } from "../value/path";
import { isEmpty } from "../value/scalar";
import type { Inputs, Value } from "../value/unknown";

/** True if a definition declares a path secret: by a field on the path, or by a member that its document marks. */
export function isWithinSecretFact(field: Field | undefined, path: Path): boolean {
  return path.some((_, index) => isSecretFact(field, path.slice(0, index + 1)));
}

/**
 * The same for one path only, if the caller has already checked all paths above it. The first `depth` segments lead to the
 * field.
 */
export function isSecretFact(field: Field | undefined, path: Path, depth = 1): boolean {
  if (field === undefined) return false;
  const { secret, document } = field.facts;
  if (path.length === depth) return secret === true;
  // Nomad and Consul accept a member's name in any case.
  if (document?.secret !== undefined && isNamedInAnyCase(document.secret, path.slice(depth))) return true;
  const child = field.children?.find(({ name }) => name === path[depth]);
  return isSecretFact(child, path, depth + 1);
}

/** True if a value contains a secret, apart from secrets in its parents. */
export function holdsSecretFact(field: Field, path: Path, value: Value | undefined): boolean {
  if (isEmpty(value)) return false;
  if (path.length > 1 && isSecretFact(field, path)) return true;
  if (Array.isArray(value))
    return value.some((part, index) => holdsSecretFact(field, [...path, index], part));
  return (
    isObject(value) && Object.keys(value).some((name) => holdsSecretFact(field, [...path, name], value[name]))
  );
}

/**
 * True if a value that a program wrote may contain a secret. This includes a malformed document with secrets, because their
 * places cannot be determined.
 */
export function mayHoldSecret(definition: Specified, path: Path, value: Json): boolean {
  const field = fieldNamed(definition, path[0]);
  if (field === undefined || isEmpty(value)) return false;
  const isWhole = path.length === 1 && field.facts.document?.secret !== undefined;
  if (isWhole && (typeof value === "object" || typeof value === "string")) return true;
  return (path.length > 1 && isWithinSecretFact(field, path)) || holdsSecretFact(field, path, value);
}

/** True if a function's result contains a secret. Searches lists by the facts of their elements. */
export function isSecretResult(definition: Specified, values: Inputs): boolean {
  return fieldsOf(definition).some((field) => {
    const value = values[field.name];
    if (isEmpty(value)) return false;
    if (field.facts.secret || holdsSecretFact(field, [field.name], value)) return true;
    const inner = innerSchema(field.schema);
    if (!(inner instanceof z.ZodArray) || !Array.isArray(value)) return false;
    const { element } = inner;
    if (!(element instanceof z.ZodObject)) return false;
    // The members of a function's elements are schemas with facts, as properties are.
    const each: Specified = { ...definition, fields: element.shape as Record<string, z.ZodType> };
    return value.some((item) => isObject(item) && isSecretResult(each, item));
  });
}

/*
 * A program's marks use the indexes of its own lists. Elements that others added to such a list have no such index. A place
 * in one of these is secret if the program marked the same place in any element of its own.
 */

/**
 * True if a place in an element that only others added matches a marked place of the program, or a parent or a part of one.
 * @param path the path as the program would write it, with the element's key
 */
export function isLikeMarked(marks: readonly string[], path: Path): boolean {
  return path.some(isKey) && marks.some((mark) => isLike(parsePath(mark), path));
}

/**
 * True if the key of such an element, at the end of the path, would reveal a value that is marked in other elements. Only
 * marks on the element and on the members that its key consists of count.
 * @param members the paths of these members; undefined if the key consists of all direct members
 */
export function isKeyLikeMarked(marks: readonly string[], path: Path, members?: readonly Path[]): boolean {
  if (!isKey(path.at(-1))) return false;
  return marks
    .map(parsePath)
    .some((mark) =>
      mark.length <= path.length || members === undefined
        ? mark.length <= path.length + 1 && isLike(mark, path)
        : members.some((member) => mark.length === member.length && isLike(mark, member)),
    );
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
