import { type Change, changesIn } from "../compare/changes";
import type { Comparison } from "../compare/comparison";
import { withRivalsEmptied } from "../compare/exclusive";
import { formsIn } from "../compare/forms";
import { type Model, modelOfInputs, withoutOthersOwned } from "../compare/model";
import { type Field, fieldsOf } from "../language/fields";
import { withIgnored } from "../language/ignored";
import type { DefinitionBase } from "../language/specified";
import type { PreviewInput } from "../language/stepInput";
import { driftedInputs } from "../state/outputs";
import { type Records, writesIn } from "../state/records";
import { sameInDocument } from "../value/equality";
import type { Inputs } from "../value/unknown";
import { withEarlierReading } from "./readText";

/** What these inputs mean for a resource on record: with what was read in their text, and what they ignore as it was seen. */
export function meantBy(
  definition: DefinitionBase,
  input: PreviewInput,
  records: Records,
  written: Inputs,
): Inputs {
  const read = withEarlierReading(definition, input, written, writesIn(records));
  return withIgnored(read, () => driftedInputs(definition, records));
}

/** What an update from these records would change, beyond the object's identity. */
export function plannedChanges(definition: DefinitionBase, records: Records, inputs: Inputs): Change[] {
  return changesIn(definition, comparisonOf(definition, records, inputs));
}

/** The comparison of the records with the program's inputs. */
export function comparisonOf(definition: DefinitionBase, records: Records, inputs: Inputs): Comparison {
  const managed = (model: Model) => withoutOthersOwned(definition, model, inputs);
  return withRivalsEmptied(definition, {
    applied: managed(modelOfInputs(definition, records.applied)),
    desired: modelOfInputs(definition, inputs),
    settled: managed(records.settled),
    seen: managed(records.seen),
    forms: formsIn(definition, inputs),
    changedText: textChanged(definition, records, inputs),
  });
}

/** The properties of a text, and of what it is read with, that are others than at our last write. */
function textChanged(definition: DefinitionBase, { applied }: Records, inputs: Inputs): Field[] {
  const { serviceText } = definition;
  if (serviceText === undefined) return [];
  const names = [serviceText.property, ...serviceText.with];
  return fieldsOf(definition).filter(
    ({ name }) => names.includes(name) && !sameInDocument(applied[name], inputs[name]),
  );
}
