import "./neutralDialect";

import { oneTimeActions } from "../steps/oneTimeActions";
import { procedures } from "../steps/procedures";
import { subjects } from "../steps/subjects";
import { actionSubject, procedureSubject } from "./actionScenarios";
import type { FaultSubject } from "./faultSubject";
import { furtherScenarios } from "./furtherScenarios";
import { faultSubjectOf } from "./objectScenarios";
import { onSecondPage } from "./onSecondPage";

/** Every definition, with everything that the fault tests need. */
export const all: readonly (readonly [token: string, make: () => Promise<FaultSubject>])[] = [
  ...subjects.map(([token, subject]) => [token, async () => faultSubjectOf(subject)] as const),
  ...oneTimeActions.map(([token, action]) => [token, () => actionSubject(action)] as const),
  ...procedures.map(([token, trial]) => [token, () => procedureSubject(trial)] as const),
  ...furtherScenarios,
  ...onSecondPage,
];
