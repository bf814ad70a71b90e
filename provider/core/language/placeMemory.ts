import type { Site } from "./connection";
import type { Address } from "./object";
import { storedPart } from "./place";
import { type AnyDefinition, isCreatedBeforeDelete, livesAs } from "./resource";

/**
 * Identifies the object that a delete at this address reaches: two addresses of one object have one key, whichever resource
 * type they belong to. Undefined if a delete sends nothing, or if the old object and its replacement can exist side by side.
 */
export function placeKey(definition: AnyDefinition, site: Site, recorded: Address): string | undefined {
  const { service, token, where } = definition;
  const { settings } = site;
  const address = storedAddress(where, site, recorded);
  const at = (part: string) => escaped(address[part] ?? where.defaults?.[part]?.unset ?? "");
  const filled = (template: string) => template.replace(/\{\+?(\w+)\}/g, (_, part: string) => at(part));
  const server = [service.name, settings.address, service.realm?.header(settings, address)[1]];
  if (livesAs(definition, "procedure"))
    return isCreatedBeforeDelete(definition) ? undefined : key(server, token, where.id.format(address));
  if (!livesAs(definition, "object") || definition.life.deletion.kind === "stays") return undefined;
  const { path, query = {} } = definition.life.deletion.route;
  const parameters = Object.entries(query).map(([name, template]) => `${name}=${filled(template)}`);
  return key(server, filled(path), ...parameters.sort());
}

/** The address as the server stores it: an older record can contain a name that the server has folded since. */
function storedAddress(where: AnyDefinition["where"], site: Site, address: Address): Address {
  return Object.fromEntries(
    Object.entries(address).map(([part, name]) => [part, name && storedPart(where, site, part, name)]),
  );
}

/** Keeps a slash in a value apart from the slashes between values. */
function escaped(value: string): string {
  return value.replace(/[%/]/g, (character) => (character === "%" ? "%25" : "%2F"));
}

function key(...parts: unknown[]): string {
  return JSON.stringify(parts);
}

/** Why a state entry's object is not deleted with the entry. */
export type Kept = "written by this command" | "managed by another entry";

/**
 * Which objects the state entries of the running command manage. A command can delete an old entry of an object that another
 * entry manages: after a rename without an alias, or a replacement that creates first. Only the last entry of an object that
 * this command did not write deletes the object.
 */
export class PlaceMemory {
  readonly #written = new Set<string>();
  readonly #registered = new Set<string>();
  /** By place: the entries that a diff compared, and whether each is registered by the program and stays as it is. */
  readonly #entries = new Map<string, Map<string, boolean>>();

  /** This command created, updated or adopted the object, or may have. */
  write(place: string): void {
    this.#written.add(place);
  }

  /** The program registers a resource with inputs that name this place. */
  register(place: string): void {
    this.#registered.add(place);
  }

  isRegistered(place: string | undefined): boolean {
    return place !== undefined && this.#registered.has(place);
  }

  /** A diff compared this entry. `stays`: the program registers it, and nothing about it changes. */
  compare(place: string, entry: string, stays: boolean): void {
    const entries = this.#entries.get(place) ?? new Map<string, boolean>();
    this.#entries.set(place, entries.set(entry, stays));
  }

  /** Removes an entry. Returns why its object is to be kept; undefined if the object is to be deleted, too. */
  remove(place: string, entry: string): Kept | undefined {
    if (this.#written.has(place)) return "written by this command";
    const entries = this.#entries.get(place);
    // The engine does not delete an entry that stays: the deleted entry is an older one with the same content.
    if (entries?.get(entry) === true) return "managed by another entry";
    entries?.delete(entry);
    return (entries?.size ?? 0) > 0 ? "managed by another entry" : undefined;
  }
}
