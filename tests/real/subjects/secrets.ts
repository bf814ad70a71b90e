import type { Values } from "../../../provider/core/language/object";
import type { Json } from "../../../provider/core/value/json";
import type { Subject } from "../../steps/subject";
import { directorySubjects } from "../../steps/subjects/directory";
import { loginEnforcementSubject } from "../../steps/subjects/secrets";
import { secretsWorld } from "../../steps/subjects/secretsScene";
import { theServer } from "../servers/server";

/** The enforcement `everybody`, with the ids that this server gave what the stories name. */
const loginEnforcement: Subject = {
  ...loginEnforcementSubject,
  world: () => secretsWorld(loginEnforcementSubject.definition),
  programs: loginEnforcementSubject.programs.map(withOwnIds),
  edits: loginEnforcementSubject.edits.map(({ property, value }) => ({ property, value: ownId(value) })),
};

function withOwnIds(program: Values): Values {
  return Object.fromEntries(Object.entries(program).map(([name, value]) => [name, ownId(value)]));
}

function ownId(value: Json): Json {
  // Written by the server's start.
  const names = JSON.parse(theServer().more.names ?? "{}") as Record<string, string>;
  if (Array.isArray(value)) return value.map(ownId);
  return typeof value === "string" ? (names[value] ?? value) : value;
}

/** The directory's configuration; nobody at a console writes a length beside the policy that is in force. */
function directoryConfig(): Subject {
  const subject = directorySubjects.find(({ definition }) => definition.token === "secrets:DirectoryConfig");
  if (subject === undefined) throw new Error("there is no directory configuration");
  return {
    ...subject,
    // Where one program has a policy, the service refuses another's length.
    compatible: subject.programs.filter(({ passwordPolicy }) => passwordPolicy === undefined),
    edits: subject.edits.filter(({ property }) => property !== "length"),
  };
}

/** Subjects of the secrets service that the real one tries in another form. */
export const secretsSubjects: Readonly<Record<string, Subject>> = {
  "secrets:LoginEnforcement": loginEnforcement,
  "secrets:DirectoryConfig": directoryConfig(),
};
