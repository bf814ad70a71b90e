import * as pulumi from "@pulumi/pulumi";

/**
 * Marks the secret members of a document, so that the state stores them encrypted. The rest stays unchanged, so that unknown
 * parts of an object stay separate in a preview. A string or a later value that contains a secret is marked as a unit.
 * @param names the names of secret members, at any depth
 */
export function protect(document: unknown, names: readonly string[]): unknown {
  return typeof document === "string" ? protectText(document, names) : protectPart(document, names);
}

function protectPart(value: unknown, names: readonly string[]): unknown {
  return markMembers(value, names, (known) => (holdsSecret(known, names) ? pulumi.secret(known) : known));
}

/**
 * Marks the secret members of a document in place, and nothing else: the program itself marks secrets that no member name
 * shows to the plugin. A string stays unmarked, because only the provider parses it.
 */
export function protectMembers(document: unknown, names: readonly string[]): unknown {
  return markMembers(document, names, (known) => protectMembers(known, names));
}

/**
 * Marks members with these names.
 * @param later handles a part when its value is known
 */
function markMembers(value: unknown, names: readonly string[], later: (known: unknown) => unknown): unknown {
  if (pulumi.Output.isInstance(value) || value instanceof Promise) return pulumi.output(value).apply(later);
  if (Array.isArray(value)) return value.map((part) => markMembers(part, names, later));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isAmong(names, name) && !isBlank(member) ? pulumi.secret(member) : markMembers(member, names, later),
    ]),
  );
}

function protectText(text: string, names: readonly string[]): unknown {
  return holdsSecret(text, names) ? pulumi.secret(text) : text;
}

/** True if a document, as an object or as text, contains a secret that is known now. */
export function holdsSecret(document: unknown, names: readonly string[]): boolean {
  if (typeof document !== "string") return hasMember(document, names);
  const value = parseJsonText(document);
  return value === undefined ? assignsOne(document, names) : hasMember(value, names);
}

/** The maximum distance in characters between an assignment's sign and its name or value. */
const FAR = 300;

/** True if text in a product's own language (such as HCL) assigns one of these members. */
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

/** True if a member is one of these, regardless of case: some servers accept any case. */
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

/** The value of a JSON text; undefined if the text is not JSON. */
function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
