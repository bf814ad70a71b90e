import * as pulumi from "@pulumi/pulumi";

/**
 * A document with its secret members marked, so that the state holds them encrypted. Everything beside them stays
 * as it was written: an object keeps its unknown parts apart in a preview. Text, and what is known only later, is
 * secret as a whole where it holds a secret.
 * @param names what the members that hold secrets are called, at any depth
 */
export function protect(document: unknown, names: readonly string[]): unknown {
  return typeof document === "string" ? protectText(document, names) : protectPart(document, names);
}

function protectPart(value: unknown, names: readonly string[]): unknown {
  return marked(value, names, (known) => (holdsSecret(known, names) ? pulumi.secret(known) : known));
}

/**
 * A document with its secret members marked where they stand, and nothing else of it: what a plugin is told as secret by
 * no member's name, the program itself has marked. A text stays as it is, because only the provider reads it.
 */
export function protectMembers(document: unknown, names: readonly string[]): unknown {
  return marked(document, names, (known) => protectMembers(known, names));
}

/** @param later what becomes of a part once it is known */
function marked(value: unknown, names: readonly string[], later: (known: unknown) => unknown): unknown {
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return pulumi.output(value).apply(later);
  if (Array.isArray(value)) return value.map((part) => marked(part, names, later));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isAmong(names, name) && !isBlank(member) ? pulumi.secret(member) : marked(member, names, later),
    ]),
  );
}

function protectText(text: string, names: readonly string[]): unknown {
  return holdsSecret(text, names) ? pulumi.secret(text) : text;
}

/** Whether a document, as an object or as text, shows at once that it holds a secret. */
export function holdsSecret(document: unknown, names: readonly string[]): boolean {
  if (typeof document !== "string") return hasMember(document, names);
  const value = parsed(document);
  return value === undefined ? assignsOne(document, names) : hasMember(value, names);
}

/** How far from its sign an assignment is looked for. */
const FAR = 300;

/** Whether text in a service's own language sets one of these members. */
function assignsOne(text: string, names: readonly string[]): boolean {
  for (let sign = text.indexOf("="); sign >= 0; sign = text.indexOf("=", sign + 1)) {
    const before = text.slice(Math.max(0, sign - FAR), sign).trimEnd();
    const bare = before.endsWith('"') ? before.slice(0, -1) : before;
    const value = text.slice(sign + 1, sign + FAR).trimStart();
    if (value === "" || value.startsWith('""')) continue;
    if (names.some((name) => bare.endsWith(name) && !/\w/.test(bare.at(-name.length - 1) ?? ""))) return true;
  }
  return false;
}

function hasMember(value: unknown, names: readonly string[]): boolean {
  if (Array.isArray(value)) return value.some((part) => hasMember(part, names));
  if (!isPlain(value)) return false;
  return Object.entries(value).some(
    ([name, member]) => (isAmong(names, name) && !isBlank(member)) || hasMember(member, names),
  );
}

/** Whether a member is one of these: some services find their members in any case. */
function isAmong(names: readonly string[], written: string): boolean {
  return names.some((name) => name.toLowerCase() === written.toLowerCase());
}

function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return !(pulumi.Output.isInstance(value) || value instanceof Promise || pulumi.Resource.isInstance(value));
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

/** The value behind JSON text; undefined for text that is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
