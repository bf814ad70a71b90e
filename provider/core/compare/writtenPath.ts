import { fieldsOf } from "../language/fields";
import type { Specified } from "../language/specified";
import type { Json } from "../value/json";
import type { Path } from "../value/path";
import { type Inputs, isKnown } from "../value/unknown";
import { elementsAt } from "./document";
import { recordedAs } from "./forms";

/**
 * Where a canonical path into a document stands in what a program wrote: under the program's names, elements of keyed
 * lists by their numbers, as the program's own marks name them.
 */
export function writtenPath(definition: Specified, inputs: Inputs, path: Path): Path {
  const [name = "", ...inside] = path;
  const field = fieldsOf(definition).find((candidate) => candidate.name === name);
  const facts = field && recordedAs(definition, field).facts.document;
  const value = inputs[name];
  if (field === undefined || facts === undefined || value === undefined || value === null) return path;
  const { spelling } = field.facts;
  const isReadable = isKnown(value) || spelling?.takesUnknown === true;
  // A spelling that takes unknown parts hands them through.
  const document = isReadable ? (spelling?.canonical(value as Json) ?? value) : value;
  const numbered = elementsAt(document, inside, facts);
  return [name, ...(spelling?.restorePath?.(numbered) ?? numbered)];
}
