import { questionOf } from "../../provider/core/functions/objects";
import type { AnyDefinition } from "../../provider/core/language/resource";
import { membersOf, type Property, partsOf } from "./shape";

/** The filters for listing a definition's objects; undefined if the server cannot list them. */
export function listInputs(definition: AnyDefinition): Property[] | undefined {
  const question = questionOf(definition);
  if (question === undefined) return undefined;
  const { service, type } = partsOf(definition);
  return membersOf(question.fields, { module: service, name: `${type}List` });
}
