import { writtenForm } from "../diff/forms";
import { addressOf, addressParts, isSameConnection, knownAddress } from "../language/address";
import { type DefinitionBase, fieldsOf } from "../language/fields";
import type { Address } from "../language/object";
import { foundPart, storedPart } from "../language/place";
import { type AnyDefinition, isCreatedBeforeDelete, livesAs } from "../language/resource";
import type { Site } from "../language/service";
import type { PreviewInput } from "../language/stepInput";
import type { Records } from "../state/records";
import { type Inputs, UNKNOWN } from "../value/unknown";

/**
 * Identifies the object that a delete at this address reaches: two addresses of one object have one key, whichever resource
 * type they belong to. Undefined if a delete sends nothing, or if the old object and its replacement can exist side by side.
 */
export function placeKey(definition: AnyDefinition, site: Site, recorded: Address): string | undefined {
  const { token, where } = definition;
  const address = foundAddress(where, site, recorded);
  const at = (part: string) => escapePart(address[part] ?? where.defaults?.[part]?.unset ?? "");
  const fillTemplate = (template: string) => template.replace(/\{\+?(\w+)\}/g, (_, part: string) => at(part));
  const server = serverKey(definition, site, address);
  if (livesAs(definition, "procedure"))
    return isCreatedBeforeDelete(definition) ? undefined : key(server, token, where.id.format(address));
  if (!livesAs(definition, "object") || definition.life.deletion.kind === "stays") return undefined;
  const { path, query = {} } = definition.life.deletion.route;
  const parameters = Object.entries(query).map(([name, template]) => `${name}=${fillTemplate(template)}`);
  return key(server, fillTemplate(path), ...parameters.sort());
}

/** Identifies the server of an address, and the realm there. */
export function serverKey({ service }: AnyDefinition, { settings }: Site, address: Address): unknown[] {
  return [service.name, settings.address, service.realm?.header(settings, address)[1]];
}

/** The address as the server looks for it: an older record can contain a name that the server has folded since. */
function foundAddress(where: AnyDefinition["where"], site: Site, address: Address): Address {
  return Object.fromEntries(
    Object.entries(address).map(([part, name]) => [part, name && foundPart(where, site, part, name)]),
  );
}

/** Distinguishes a slash in a value from the slashes between values. */
function escapePart(value: string): string {
  return value.replace(/[%/]/g, (character) => (character === "%" ? "%25" : "%2F"));
}

function key(...parts: unknown[]): string {
  return JSON.stringify(parts);
}

/** The changed parts of the address. A part that no one sets is the one that the server chose. */
export function changedParts(
  definition: DefinitionBase,
  input: PreviewInput,
  records: Records,
  inputs: Inputs,
): string[] {
  const address = addressOf(definition, input.connection, inputs);
  const isOpen = fieldsOf(definition).some(
    (field) => field.facts.document && writtenForm(definition, field, inputs)?.value === UNKNOWN,
  );
  const moved = addressParts(definition).filter((name) => {
    const part = address[name];
    if (isAtFormerDefault(definition, input, records, inputs, name)) return false;
    // A document that is still unknown may change the part. The diff reports this once the document is known.
    if (isOpen && inputs[name] === undefined) return false;
    if (part === UNKNOWN) return true;
    const unset = definition.where.defaults?.[name]?.unset;
    const recorded = records.address[name] ?? unset;
    if (part !== undefined)
      return part !== (recorded && storedPart(definition.where, input.connection, name, recorded));
    const wasGiven = records.lastApplied[name] !== undefined && records.lastApplied[name] !== null;
    return wasGiven && records.address[name] !== unset;
  });
  const recorded = records.lastApplied.connection;
  const connectionMoved = !isSameConnection(
    input.connection,
    typeof recorded === "string" ? recorded : undefined,
  );
  return connectionMoved ? ["connection", ...moved] : moved;
}

/**
 * True if a new object would replace the old one in place: the address is unchanged, or the server treats both addresses as
 * one.
 */
export function staysInPlace(
  definition: AnyDefinition,
  { connection }: PreviewInput,
  { address }: Records,
  inputs: Inputs,
  moved: readonly string[],
): boolean {
  if (moved.length === 0) return true;
  const now = placeKey(definition, connection, knownAddress(addressOf(definition, connection, inputs)));
  return (
    !moved.includes("connection") && now !== undefined && now === placeKey(definition, connection, address)
  );
}

/**
 * True if the program does not set this part, and the object was created under an earlier default. The object stays there
 * when the default changes.
 */
function isAtFormerDefault(
  { where }: DefinitionBase,
  { connection }: PreviewInput,
  { address }: Records,
  inputs: Inputs,
  name: string,
): boolean {
  const isSaid = inputs[name] !== undefined && inputs[name] !== null;
  return !isSaid && (where.defaults?.[name]?.isFormer?.(connection, address[name]) ?? false);
}

/** Notes for a replacement that is created at the current defaults, which may be a different place. */
export function movesToDefault(
  definition: DefinitionBase,
  input: PreviewInput,
  records: Records,
  inputs: Inputs,
): string[] {
  const now = addressOf(definition, input.connection, inputs);
  return addressParts(definition)
    .filter((name) => isAtFormerDefault(definition, input, records, inputs, name))
    .filter((name) => now[name] !== records.address[name])
    .map(
      (name) =>
        `${name} is ${JSON.stringify(records.address[name])}, the default when the object was created; the replacement is created at ${JSON.stringify(now[name])}, ` +
        `the current default: set ${name} to keep the object in place`,
    );
}
