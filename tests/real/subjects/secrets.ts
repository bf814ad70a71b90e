import type { Values } from "../../../provider/core/language/object";
import type { Json } from "../../../provider/core/value/json";
import type { Subject } from "../../steps/subject";
import { directoryConfigAt, withoutRefusedLengths } from "../../steps/subjects/directory";
import { loginEnforcementSubjectOf } from "../../steps/subjects/secrets";
import { secretsWorld } from "../../steps/subjects/secretsScene";
import { theServer } from "../servers/server";

/** An enforcement, with the ids that this server gave what the stories name. */
export function loginEnforcementOf(name: string): Subject {
  const subject = loginEnforcementSubjectOf(name);
  return {
    ...subject,
    world: () => secretsWorld(subject.definition),
    programs: subject.programs.map(withOwnIds),
    edits: subject.edits.map(({ property, value }) => ({ property, value: ownId(value) })),
  };
}

function withOwnIds(program: Values): Values {
  return Object.fromEntries(Object.entries(program).map(([name, value]) => [name, ownId(value)]));
}

function ownId(value: Json): Json {
  // Written by the server's start.
  const names = JSON.parse(theServer().more.names ?? "{}") as Record<string, string>;
  if (Array.isArray(value)) return value.map(ownId);
  return typeof value === "string" ? (names[value] ?? value) : value;
}

/** A directory's configuration on a real server. */
export function directoryConfigOf(mount: string): Subject {
  // The server is OpenBao.
  return withoutRefusedLengths(directoryConfigAt(mount, false));
}

/** Subjects of the secrets service that the real one tries in another form. */
export const secretsSubjects: Readonly<Record<string, Subject>> = {
  "secrets:LoginEnforcement": loginEnforcementOf("everybody"),
  "secrets:DirectoryConfig": directoryConfigOf("ldap"),
};
