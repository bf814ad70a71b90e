import { recordedField, writtenForm } from "../diff/forms";
import { keysOf } from "../diff/normalize";
import { ActionableError, editProgram } from "../http/remedies";
import { type DefinitionBase, fieldNamed, type Specified } from "../language/fields";
import { parsedTextOf } from "../language/serviceText";
import type { PreviewInput } from "../language/stepInput";
import { driftedInputs } from "../state/outputs";
import { type Records, writesIn } from "../state/records";
import { equalJson, formatJson, isObject, type Json, objectIn, ownMember } from "../value/json";
import { formatPath, type Path, parsePath } from "../value/path";
import { metadataOf } from "../value/programInputs";
import { canonicalValue } from "../value/spelling";
import type { Inputs, Value } from "../value/unknown";
import { withEarlierReading } from "./readText";

/** The effective inputs of a resource: with the parsed text, and with the observed values of ignored properties. */
export function effectiveInputs<I extends Inputs>(
  definition: DefinitionBase,
  input: PreviewInput,
  records: Records | undefined,
  written: I,
): I {
  const read = withEarlierReading(definition, input, written, writesIn(records));
  const isIgnoring = metadataOf(read).ignoredPaths.length > 0;
  return records && isIgnoring ? withIgnoredPaths(definition, records, read) : read;
}

/**
 * The inputs, with the server's last observed value at each path that the program ignores.
 * @throws ActionableError if a path does not name the same value as before
 */
export function withIgnoredPaths<I extends Inputs>(
  definition: DefinitionBase,
  records: Records,
  inputs: I,
): I {
  assertSameElements(definition, records.lastApplied, inputs);
  return withValuesAt(definition, inputs, driftedInputs(definition, records));
}

/**
 * Checks that each ignored path inside a list element names the same element before and after. The engine takes the ignored
 * value from the element at the same position, so that an element added in front would get another one's value.
 * @throws ActionableError that names both elements
 */
function assertSameElements(definition: DefinitionBase, before: Inputs, inputs: Inputs): void {
  for (const text of metadataOf(inputs).ignoredPaths) {
    const path = parsePath(text);
    for (const [at, index] of path.entries()) {
      if (typeof index !== "number" || at === path.length - 1) continue;
      const list = path.slice(0, at);
      const [was, is] = [before, inputs].map((values) => keysAt(definition, values, list)?.[index]);
      if (was === undefined || is === undefined || was === is) continue;
      throw new ActionableError(
        `ignoreChanges names ${text}, and element ${index} of ${formatPath(list)} was ${JSON.stringify(was)} and is ` +
          `${JSON.stringify(is)} now: Pulumi takes the ignored value by position, from the other element. Nothing was written.`,
        [
          editProgram("add elements at the end of the list"),
          editProgram("remove the path from ignoreChanges for this update"),
        ],
        { outcome: "notApplied" },
      );
    }
  }
}

/** The keys of the elements of a list, at a path with the program's names; undefined if the list has no keys. */
function keysAt(definition: DefinitionBase, inputs: Inputs, list: Path): readonly string[] | undefined {
  const field = fieldNamed(definition, list[0]);
  const property = field && recordedField(definition, field);
  const facts = property?.facts.document;
  if (field === undefined || property === undefined || facts === undefined) return undefined;
  const form = writtenForm(definition, property, inputs);
  if (form?.field.name !== field.name) return undefined;
  const { spelling } = form.field.facts;
  const isList = (path: Path) => equalJson([...(spelling?.restorePath?.(path) ?? path)], list.slice(1));
  const keysIn = (value: Value | undefined, path: Path): readonly string[] | undefined => {
    if (Array.isArray(value) && isList(path)) return keysOf(value, path, facts);
    const parts = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
    return parts
      .map(([segment, part]) => keysIn(part, [...path, segment]))
      .find((keys) => keys !== undefined);
  };
  return keysIn(canonicalValue(spelling, form.value), []);
}

/**
 * The inputs, with the server's current value at each path that the program ignores. The engine gives such a path the
 * state's value. After a refresh that is the server's value. Without a refresh it would look like an edit by the program, or
 * cause a conflict. A text with an ignored path inside becomes the JSON text of its document with the server's value there.
 * @param values the inputs that a program would need to match the server as last observed
 * @throws ActionableError if a path names nothing in a text
 */
export function withValuesAt<I extends Inputs>(
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
  return serviceText?.property === name ? parsedTextOf(serviceText, values) : objectIn(text);
}

/** True if a document has a member at a path, be it null. */
function has(value: unknown, [segment, ...rest]: Path): boolean {
  if (segment === undefined) return value !== undefined;
  const names = segment === "*" ? segmentsOf(value) : [segment];
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
    const names = segmentsOf(own).concat(
      segmentsOf(theirs).filter((name) => !segmentsOf(own).includes(name)),
    );
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

function segmentsOf(value: unknown): (string | number)[] {
  if (Array.isArray(value)) return value.map((_, index) => index);
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}
