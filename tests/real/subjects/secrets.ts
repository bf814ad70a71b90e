import type { Values } from "../../../provider/core/language/object";
import type { Json } from "../../../provider/core/value/json";
import type { Subject } from "../../steps/subject";
import { directoryConfigAt, withoutRefusedLengths } from "../../steps/subjects/directory";
import { loginEnforcementSubjectOf } from "../../steps/subjects/secrets";
import { secretsWorld } from "../../steps/subjects/secretsScene";
import { theServer } from "../servers/server";

/** A login enforcement with this server's IDs of the objects that the stories refer to. */
export function loginEnforcementOf(name: string): Subject {
  const subject = loginEnforcementSubjectOf(name);
  return {
    ...subject,
    world: () => secretsWorld(subject.definition),
    programs: subject.programs.map(withServerIds),
    edits: subject.edits.map(({ property, value }) => ({ property, value: idOnServer(value) })),
  };
}

function withServerIds(program: Values): Values {
  return Object.fromEntries(Object.entries(program).map(([name, value]) => [name, idOnServer(value)]));
}

function idOnServer(value: Json): Json {
  // The start of the server wrote it.
  const names = JSON.parse(theServer().more.names ?? "{}") as Record<string, string>;
  if (Array.isArray(value)) return value.map(idOnServer);
  return typeof value === "string" ? (names[value] ?? value) : value;
}

/** The configuration of an LDAP directory on a real server. */
export function directoryConfigOf(mount: string): Subject {
  // The server is OpenBao, not Vault.
  return withoutRefusedLengths(directoryConfigAt(mount, false));
}

/** The subjects that differ on a real OpenBao server. */
export const secretsSubjects: Readonly<Record<string, Subject>> = {
  "secrets:LoginEnforcement": loginEnforcementOf("everybody"),
  "secrets:DirectoryConfig": directoryConfigOf("ldap"),
};
