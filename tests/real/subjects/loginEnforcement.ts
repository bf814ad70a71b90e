import type { Values } from "../../../provider/core/define";
import type { Subject } from "../../steps/subject";
import { loginEnforcementSubject, METHODS } from "../../steps/subjects/secrets";
import { secretsWorld } from "../../steps/subjects/secretsScene";
import { theServer } from "../servers/server";

/** The enforcement `everybody`, with the ids that this server gave the two methods. */
export const loginEnforcement: Subject = {
  ...loginEnforcementSubject,
  world: () => secretsWorld(loginEnforcementSubject.definition),
  programs: loginEnforcementSubject.programs.map(withOwnIds),
};

function withOwnIds(program: Values): Values {
  const { mfaMethodIds } = program;
  if (!Array.isArray(mfaMethodIds)) return program;
  const own = (theServer().more.methods ?? "").split(" ");
  return { ...program, mfaMethodIds: mfaMethodIds.map((id) => own[METHODS.indexOf(String(id))] ?? id) };
}
