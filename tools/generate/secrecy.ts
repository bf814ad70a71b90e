import type { DefinitionBase } from "../../provider/core/language/fields";
import { isSecretAsWhole, type Property } from "./shape";

/** True if a property or any of its members is secret. The secret members of a document do not count. */
export function isSecret({ facts, shape }: Property): boolean {
  if (isSecretAsWhole(facts)) return true;
  return facts.document === undefined && shape.kind === "object" && shape.members.some(isSecret);
}

/**
 * The names of the secret members in a document, in the specification and in every dialect, because a program may use
 * either.
 */
export function secretMembersOf({ facts }: Property, { service }: DefinitionBase): string[] {
  if (isSecretAsWhole(facts)) return [];
  const own = (facts.document?.secret ?? []).map(lastSegment);
  const renamed = Object.values(service.dialects).flatMap(({ members }) =>
    Object.entries(members ?? {}).flatMap(([pattern, name]) =>
      own.includes(lastSegment(pattern)) ? [name] : [],
    ),
  );
  return [...new Set([...own, ...renamed])];
}

function lastSegment(pattern: string): string {
  return pattern.split(".").at(-1) ?? "";
}
