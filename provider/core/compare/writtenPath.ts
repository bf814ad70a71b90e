import { fieldNamed, type Specified } from "../language/fields";
import type { Path } from "../value/path";
import { canonicalValue } from "../value/spelling";
import type { Inputs } from "../value/unknown";
import { elementsAt } from "./document";
import { recordedAs } from "./forms";

/**
 * Converts a canonical path into a document to the path in the program's value. Like the program's own marks, the result has
 * the program's names, and indexes for elements of keyed lists.
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
