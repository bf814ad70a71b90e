import { recordedField, writtenForm } from "../diff/forms";
import { keysOf } from "../diff/normalize";
import { ActionableError, editProgram } from "../http/remedies";
import { type DefinitionBase, fieldNamed } from "../language/fields";
import { withIgnored } from "../language/ignored";
import { driftedInputs } from "../state/outputs";
import type { Records } from "../state/records";
import { equalJson, isObject } from "../value/json";
import { formatPath, type Path, parsePath } from "../value/path";
import { metadataOf } from "../value/programInputs";
import { canonicalValue } from "../value/spelling";
import type { Inputs, Value } from "../value/unknown";

/**
 * The inputs, with the server's last observed value at each path that the program ignores.
 * @throws ActionableError if a path does not name the same value as before
 */
export function withIgnoredPaths<I extends Inputs>(
  definition: DefinitionBase,
  records: Records,
  inputs: I,
): I {
  if (metadataOf(inputs).ignoredPaths.length === 0) return inputs;
  assertSameElements(definition, records.lastApplied, inputs);
  return withIgnored(definition, inputs, driftedInputs(definition, records));
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
    if (Array.isArray(value)) {
      if (isList(path)) return keysOf(value, path, facts);
      return firstOf(value.entries(), ([index, element]) => keysIn(element, [...path, index]));
    }
    if (!isObject(value)) return undefined;
    return firstOf(Object.entries(value), ([name, member]) => keysIn(member, [...path, name]));
  };
  return keysIn(canonicalValue(spelling, form.value), []);
}

function firstOf<T, R>(values: Iterable<T>, of: (value: T) => R | undefined): R | undefined {
  for (const value of values) {
    const result = of(value);
    if (result !== undefined) return result;
  }
  return undefined;
}
