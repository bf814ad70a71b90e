import type { Address } from "./object";

/** What an id says: the named connection in front, if any, and the parts of the object's address. */
export interface ParsedId {
  readonly connection?: string;
  readonly address: Address;
  /** The parts of the object's own id that this form of it leaves out. */
  readonly omitted: readonly string[];
}

/** An id template both formats and parses: `"{datacenter}/{namespace}/{kind}/{name}"`. */
export interface IdTemplate {
  /** The template without what stands for unset parts. */
  readonly template: string;
  /** Further forms that `parse` takes. */
  readonly others: readonly string[];
  /** What stands for parts that the service has not told yet. */
  readonly unset: Readonly<Record<string, string>>;
  /**
   * The id of an object, with a named connection in front of a colon. A part that is unset stays empty, or is what the
   * template says with `=`.
   */
  format(address: Address, connection?: string): string;
  /** What an id says; undefined where it does not have the template's form. */
  parse(id: string): ParsedId | undefined;
}

/**
 * Makes an id template; what stands in it without braces is part of every id, and `{part=value}` says what stands for
 * a part that the service always has, while it has not told it. `alternatives` are further forms that `parse` takes,
 * because people know the object by them (a workspace's `organization/name`); they are told apart by their number of
 * segments, and by what stands in them without braces.
 */
export function idTemplate(template: string, ...alternatives: string[]): IdTemplate {
  const forms = [template, ...alternatives].map(partsIn);
  const [own = []] = forms;
  return {
    template: template.replaceAll(/=[^}]*/g, ""),
    others: alternatives,
    unset: Object.fromEntries(own.flatMap(({ name, unset }) => (unset === undefined ? [] : [[name, unset]]))),
    format(address, connection) {
      const path = own
        .map(({ name, literal, unset }) => literal ?? encodeURIComponent(address[name] ?? unset ?? ""))
        .join("/");
      return connection === undefined ? path : `${encodeURIComponent(connection)}:${path}`;
    },
    parse(id) {
      const [, prefix, path = ""] = /^(?:([^:/]*):)?(.*)$/s.exec(id) ?? [];
      // Half of a surrogate pair is no character, and in no id.
      if (!id.isWellFormed()) return undefined;
      const segments = path.split("/");
      const form = forms.find((parts) => isFormOf(parts, segments));
      const address: Record<string, string> = {};
      try {
        for (const [index, { name, literal }] of (form ?? []).entries()) {
          if (literal !== undefined) continue;
          const value = decodeURIComponent(segments[index] ?? "");
          if (value !== "") address[name] = value;
        }
        const last = form?.at(-1);
        if (last === undefined || (last.literal ?? address[last.name]) === undefined) return undefined;
        const omitted = own
          .map(({ name }) => name)
          .filter((name) => !form?.some((part) => part.name === name));
        const found = { address, omitted };
        return prefix === undefined ? found : { ...found, connection: decodeURIComponent(prefix) };
      } catch {
        return undefined;
      }
    },
  };
}

/** One segment of a template: a part of the address, or a word of its own. */
interface Segment {
  readonly name: string;
  readonly literal?: string;
  readonly unset?: string;
}

function partsIn(template: string): Segment[] {
  return template.split("/").map((part) => {
    if (!part.startsWith("{")) return { name: "", literal: part };
    const [name = "", unset] = part.slice(1, -1).split("=");
    return unset === undefined ? { name } : { name, unset };
  });
}

function isFormOf(parts: readonly Segment[], segments: readonly string[]): boolean {
  if (parts.length !== segments.length) return false;
  return parts.every(({ literal }, index) => literal === undefined || literal === segments[index]);
}
