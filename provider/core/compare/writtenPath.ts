import { fieldNamed, type Specified } from "../language/fields";
import type { Path } from "../value/path";
import { canonicalValue } from "../value/spelling";
import type { Inputs } from "../value/unknown";
import { elementsAt } from "./document";
import { recordedAs } from "./forms";

/**
 * Where a canonical path into a document stands in what a program wrote: under the program's names, elements of keyed
 * lists by their numbers, as the program's own marks name them.
 */
export function writtenPath(definition: Specified, inputs: Inputs, path: Path): Path {
  const [name = "", ...inside] = path;
  const field = fieldNamed(definition, name);
  const facts = field && recordedAs(definition, field).facts.document;
  const value = inputs[name];
  if (field === undefined || facts === undefined || value === undefined || value === null) return path;
  const { spelling } = field.facts;
  const numbered = elementsAt(canonicalValue(spelling, value), inside, facts);
  return [name, ...(spelling?.restorePath?.(numbered) ?? numbered)];
}
