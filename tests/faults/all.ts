import "./neutralDialect";

import { deeds } from "../steps/deeds";
import { procedures } from "../steps/procedures";
import { subjects } from "../steps/subjects";
import { actionSubject, procedureSubject } from "./actionScenarios";
import { crowded } from "./crowds";
import type { FaultSubject } from "./faultSubject";
import { furtherScenarios } from "./furtherScenarios";
import { faultSubjectOf } from "./objectScenarios";

/** Every definition, with everything that the fault tests need. */
export const all: readonly (readonly [token: string, make: () => Promise<FaultSubject>])[] = [
  ...subjects.map(([token, subject]) => [token, async () => faultSubjectOf(subject)] as const),
  ...deeds.map(([token, deed]) => [token, () => actionSubject(deed)] as const),
  ...procedures.map(([token, trial]) => [token, () => procedureSubject(trial)] as const),
  ...furtherScenarios,
  ...crowded,
];
