import type { Address } from "../language/object";
import { foundPart } from "../language/place";
import { type AnyDefinition, isCreatedBeforeDelete, livesAs } from "../language/resource";
import type { Site } from "../language/service";

/**
 * Identifies the object that a delete at this address reaches: two addresses of one object have one key, whichever resource
 * type they belong to. Undefined if a delete sends nothing, or if the old object and its replacement can exist side by side.
 */
export function placeKey(definition: AnyDefinition, site: Site, recorded: Address): string | undefined {
  const { service, token, where } = definition;
  const { settings } = site;
  const address = foundAddress(where, site, recorded);
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

/** The address as the server looks for it: an older record can contain a name that the server has folded since. */
function foundAddress(where: AnyDefinition["where"], site: Site, address: Address): Address {
  return Object.fromEntries(
    Object.entries(address).map(([part, name]) => [part, name && foundPart(where, site, part, name)]),
  );
}

/** Distinguishes a slash in a value from the slashes between values. */
function escaped(value: string): string {
  return value.replace(/[%/]/g, (character) => (character === "%" ? "%25" : "%2F"));
}

function key(...parts: unknown[]): string {
  return JSON.stringify(parts);
}
