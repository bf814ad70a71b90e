import { denied } from "./errors";
import { KINDS, type Resource } from "./kinds";
import type { Token } from "./settings";

/** Refuses a token that may not write this entry (the table "Required ACLs by kind"). */
export function requireWrite(token: Token, kind: string, name: string): void {
  requireAny(token, KINDS[kind]?.write ?? [], name, "write");
}

/** Refuses a token that may not read this entry. */
export function requireRead(token: Token, kind: string, name: string): void {
  if (!mayRead(token, kind, name)) requireAny(token, KINDS[kind]?.read ?? [], name, "read");
}

/** Whether a list shows this entry to this token. */
export function mayRead(token: Token, kind: string, name: string): boolean {
  const rights = KINDS[kind]?.read ?? [];
  return rights.length === 0 || rights.some((right) => has(token, right, name, "read"));
}

function requireAny(token: Token, rights: readonly Resource[], name: string, level: "read" | "write"): void {
  if (rights.some((right) => has(token, right, name, level))) return;
  const [first] = rights;
  throw denied(
    first === undefined
      ? undefined
      : `${first}:${level}${isNamed(first) ? ` on ${JSON.stringify(name)}` : ""}`,
  );
}

function has({ management, rules }: Token, right: Resource, name: string, level: "read" | "write"): boolean {
  if (management) return true;
  const given = isNamed(right) ? (rules[right][name] ?? rules[right]["*"]) : rules[right];
  return given === "write" || given === level;
}

function isNamed(right: Resource): right is "service" | "intentions" {
  return right === "service" || right === "intentions";
}
