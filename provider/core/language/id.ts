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
  /** The part that says in which realm of the service the object is, where its id can say that. */
  readonly realm?: string;
  /** The template without what stands for unset parts. */
  readonly template: string;
  /** Further forms that `parse` takes. */
  readonly others: readonly string[];
  /** What stands for parts that the service has not told yet. */
  readonly unset: Readonly<Record<string, string>>;
  /**
   * The id of an object, with a named connection in front of a colon, and the realm that it is to say in front of `@`. A part
   * that is unset stays empty, or is what the template says with `=`.
   */
  format(address: Address, connection?: string, realm?: string): string;
  /** What an id says; undefined where it does not have the template's form. */
  parse(id: string): ParsedId | undefined;
}

/**
 * Makes an id template; what stands in it without braces is part of every id, and `{part=value}` says what stands for
 * a part that the service always has, while it has not told it. `alternatives` are further forms that `parse` takes,
 * because people know the object by them (a workspace's `organization/name`); they are told apart by their number of
 * segments, and by what stands in them without braces. A template that begins with `[{part}@]` has a realm, which stands
 * in front of every form where it is said: neither `:` nor `@` survives the encoding of a part.
 */
export function idTemplate(template: string, ...alternatives: string[]): IdTemplate {
  const [, realm, path = ""] = /^(?:\[\{(\w+)\}@\])?(.*)$/s.exec(template) ?? [];
  const forms = [path, ...alternatives].map(partsIn);
  const [own = []] = forms;
  return {
    ...(realm !== undefined && { realm }),
    template: path.replaceAll(/=[^}]*/g, ""),
    others: alternatives,
    unset: Object.fromEntries(own.flatMap(({ name, unset }) => (unset === undefined ? [] : [[name, unset]]))),
    format(address, connection, said) {
      const object = own
        .map(({ name, literal, unset }) => literal ?? encodeURIComponent(address[name] ?? unset ?? ""))
        .join("/");
      const there = said === undefined ? object : `${encodeURIComponent(said)}@${object}`;
      return connection === undefined ? there : `${encodeURIComponent(connection)}:${there}`;
    },
    parse(id) {
      // Half of a surrogate pair is no character, and in no id.
      if (!id.isWellFormed()) return undefined;
      const [, prefix, there = ""] = /^(?:([^:/]*):)?(.*)$/s.exec(id) ?? [];
      const [, said, object = there] = (realm !== undefined && /^([^@/]+)@(.*)$/s.exec(there)) || [];
      const segments = object.split("/");
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
        if (realm !== undefined && said === undefined) omitted.push(realm);
        if (realm !== undefined && said !== undefined) address[realm] = decodeURIComponent(said);
        const found = { address, omitted };
        return prefix === undefined ? found : { ...found, connection: decodeURIComponent(prefix) };
      } catch {
        return undefined;
      }
    },
  };
}

/** The forms that an object's own id has: with its realm in front where it says one. */
export function ownIdForms({ template, realm }: IdTemplate): string[] {
  return realm === undefined ? [template] : [template, `{${realm}}@${template}`];
}

/** The forms in which a read takes an id. */
export function idForms(id: IdTemplate): string[] {
  return [...ownIdForms(id), ...id.others];
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
