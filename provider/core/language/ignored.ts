import { ActionableError, editProgram } from "../http/remedies";
import { formatJson, isObject, type Json, objectIn, ownMember } from "../value/json";
import { formatPath, type Path, parsePath } from "../value/path";
import { metadataOf } from "../value/programInputs";
import type { Inputs } from "../value/unknown";
import type { Specified } from "./fields";
import { readingOf } from "./serviceText";

/**
 * The inputs, with the server's current value at each path that the program ignores. The engine gives such a path the
 * state's value. After a refresh that is the server's value. Without a refresh it would look like an edit by the program, or
 * cause a conflict. A text with an ignored path inside becomes the JSON text of its document with the server's value there.
 * @param values the inputs that a program would need to match the server as last observed
 * @throws ActionableError if a path names nothing in a text
 */
export function withIgnored<I extends Inputs>(
  definition: Specified,
  inputs: I,
  values: Readonly<Record<string, Json>>,
): I {
  const { ignoredPaths: ignored } = metadataOf(inputs);
  return ignored.map(parsePath).reduce((all, path) => {
    const [name] = path;
    if (path.length > 1 && typeof name === "string" && typeof all[name] === "string")
      return withIgnoredInText(definition, all, values, path, name);
    const isKnownHere = name === "*" || (typeof name === "string" && Object.hasOwn(values, name));
    // A record of inputs still contains inputs after this replacement.
    return isKnownHere ? (copyAt(all, values, path) as I) : all;
  }, inputs);
}

function withIgnoredInText<I extends Inputs>(
  definition: Specified,
  inputs: I,
  theirs: Readonly<Record<string, Json>>,
  [, ...inside]: Path,
  name: string,
): I {
  const [own, other] = [inputs, theirs].map((values) => documentIn(definition, values, name));
  // A text that the service could not parse is compared as text.
  if (own === undefined || other === undefined) return inputs;
  // A document may leave the value itself out.
  const parent = inside.slice(0, -1);
  if (!has(own, parent) && !has(other, parent))
    throw new ActionableError(
      `ignoreChanges names ${formatPath([name, ...inside])}, which does not exist in the document in ${name}; nothing was written.`,
      [
        editProgram(
          "use a path of the document as the tables of conflicts and drift print it, with indexes for list elements",
        ),
      ],
      { outcome: "notApplied" },
    );
  const document = copyAt(own, other, inside);
  if (formatJson(own) === formatJson(document as Json)) return inputs;
  // A document of JSON values stays one.
  return { ...inputs, [name]: formatJson(document as Json) };
}

/** The document in a text, if it can be parsed. */
function documentIn({ serviceText }: Specified, values: Inputs, name: string): Json | undefined {
  const text = values[name];
  if (typeof text !== "string") return undefined;
  return serviceText?.property === name ? readingOf(serviceText, values) : objectIn(text);
}

/** True if a document has a member at a path, be it null. */
function has(value: unknown, [segment, ...rest]: Path): boolean {
  if (segment === undefined) return value !== undefined;
  const names = segment === "*" ? keysOf(value) : [segment];
  return names.some((name) => has(partAt(value, name), rest));
}

function partAt(value: unknown, name: string | number): unknown {
  if (Array.isArray(value)) return value[Number(name)];
  return typeof value === "object" && value !== null
    ? ownMember(value as Record<string, unknown>, String(name))
    : undefined;
}

/** Takes the value at a path from another value. A member missing from the other value is removed. */
function copyAt(own: unknown, theirs: unknown, [segment, ...rest]: Path): unknown {
  if (segment === undefined) return theirs;
  if (segment === "*") {
    const names = keysOf(own).concat(keysOf(theirs).filter((name) => !keysOf(own).includes(name)));
    return names.reduce<unknown>((all, name) => copyAt(all, theirs, [name, ...rest]), own);
  }
  if (Array.isArray(own)) {
    const other = Array.isArray(theirs) ? theirs[Number(segment)] : undefined;
    return other === undefined
      ? own
      : own.map((part, index) => (index === Number(segment) ? copyAt(part, other, rest) : part));
  }
  const name = String(segment);
  if (typeof own !== "object" || own === null) return own;
  const other = isObject(theirs) ? ownMember(theirs, name) : undefined;
  const { [name]: _, ...others } = own as Record<string, unknown>;
  const part = ownMember(own as Record<string, unknown>, name);
  const next = rest.length === 0 || part === undefined ? other : copyAt(part, other, rest);
  return next === undefined ? others : { ...own, [name]: next };
}

function keysOf(value: unknown): (string | number)[] {
  if (Array.isArray(value)) return value.map((_, index) => index);
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}
