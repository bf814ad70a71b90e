import type { Address } from "./object";

/** The contents of an ID: the connection name in front, if any, and the parts of the object's address. */
export interface ParsedId {
  readonly connection?: string;
  readonly address: Address;
  /** The parts of the object's own ID that this form omits. */
  readonly omitted: readonly string[];
}

/** An ID template both formats and parses: `"{datacenter}/{namespace}/{kind}/{name}"`. */
export interface IdTemplate {
  /** The address part with the object's realm in the service, if the ID can contain one. */
  readonly realm?: string;
  /** The template without the values for unset parts. */
  readonly template: string;
  /** Further forms that `parse` accepts. */
  readonly others: readonly string[];
  /** Values for parts that the service has not returned yet. */
  readonly unset: Readonly<Record<string, string>>;
  /**
   * Formats an object's ID. A connection name precedes it with a colon, and a realm precedes it with `@`. An unset part is
   * empty, or has the value that the template gives after `=`.
   */
  format(address: Address, connection?: string, realm?: string): string;
  /** Parses an ID; undefined if the ID does not have the template's form. */
  parse(id: string): ParsedId | undefined;
}

/**
 * Creates an ID template. Text without braces is part of every ID. `{part=value}` gives the value for a part that the
 * service always has but has not returned yet. `alternatives` are further forms that `parse` accepts, because people know
 * the object by them (a workspace's `organization/name`). The number of segments and the text without braces distinguish the
 * forms. A template that begins with `[{part}@]` has a realm, which precedes every form if it is given. Encoded parts
 * contain neither `:` nor `@`.
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
      // A lone surrogate is not a character, and no ID contains one.
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

/** The forms of an object's own ID: without a realm, and with its realm in front if the template has one. */
export function ownIdForms({ template, realm }: IdTemplate): string[] {
  return realm === undefined ? [template] : [template, `{${realm}}@${template}`];
}

/** The forms of an ID that a read accepts. */
export function idForms(id: IdTemplate): string[] {
  return [...ownIdForms(id), ...id.others];
}

/** One segment of a template: a part of the address, or literal text. */
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
