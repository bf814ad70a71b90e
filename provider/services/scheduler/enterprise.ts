import { isGiven, type PlannedChange } from "../../core";

/** Notes for properties that a program sets for the first time although Nomad Community Edition rejects them. */
export const enterpriseNotes =
  (properties: readonly string[]) =>
  ({ inputs, changed, outputs }: PlannedChange): readonly string[] =>
    properties.flatMap((name) => {
      const isChanged = outputs === undefined || changed.some(([property]) => property === name);
      return isChanged && isGiven(inputs[name]) && !isGiven(outputs?.[name])
        ? [`${name} requires Nomad Enterprise: Nomad Community Edition rejects it`]
        : [];
    });
