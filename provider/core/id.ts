import type { Address } from "./object";

/** What an id says: the named connection in front, if any, and the parts of the object's address. */
export interface ParsedId {
  readonly connection?: string;
  readonly address: Address;
}

/** An id template both formats and parses: `"{datacenter}/{namespace}/{kind}/{name}"`. */
export interface IdTemplate {
  readonly template: string;
  /** The id of an object; parts that are unset stay empty, and a named connection stands in front with a colon. */
  format(address: Address, connection?: string): string;
  /** What an id says; undefined where it does not have the template's form. */
  parse(id: string): ParsedId | undefined;
}

/**
 * Makes an id template. `alternatives` are further forms that `parse` takes (a workspace's
 * `organization/name`); they are told apart by their number of segments.
 */
export function idTemplate(template: string, ...alternatives: string[]): IdTemplate {
  const forms = [template, ...alternatives].map(namesIn);
  const [own = []] = forms;
  return {
    template,
    format(address, connection) {
      const path = own.map((name) => encodeURIComponent(address[name] ?? "")).join("/");
      return connection === undefined ? path : `${encodeURIComponent(connection)}:${path}`;
    },
    parse(id) {
      const [, prefix, path = ""] = /^(?:([^:/]*):)?(.*)$/s.exec(id) ?? [];
      const segments = path.split("/");
      const form = forms.find((names) => names.length === segments.length);
      const address: Record<string, string> = {};
      try {
        for (const [index, name] of (form ?? []).entries()) {
          const value = decodeURIComponent(segments[index] ?? "");
          if (value !== "") address[name] = value;
        }
        const lastName = form?.at(-1);
        if (lastName === undefined || address[lastName] === undefined) return undefined;
        return prefix === undefined ? { address } : { address, connection: decodeURIComponent(prefix) };
      } catch {
        return undefined;
      }
    },
  };
}

function namesIn(template: string): string[] {
  return template.split("/").map((part) => part.slice(1, -1));
}
