import type { DefinitionBase } from "../provider/core/language/fields";
import type { Property } from "./shape";

/** Whether a property, or any member of it, is secret. A document keeps its secret members apart from the rest. */
export function isSecret({ facts, shape }: Property): boolean {
  if (facts.secret === true) return true;
  return facts.document === undefined && shape.kind === "object" && shape.members.some(isSecret);
}

/**
 * What the members are called that hold secrets in a document, in the specification's names and in those of every
 * dialect: a program may write either.
 */
export function secretMembersOf({ facts }: Property, { service }: DefinitionBase): string[] {
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
