import { writtenForm } from "../diff/forms";
import { addressOf, addressParts, isSameConnection, knownAddress } from "../language/address";
import { fieldsOf } from "../language/fields";
import type { Address } from "../language/object";
import { foundPart, storedPart } from "../language/place";
import type { PlaceMemory } from "../language/placeMemory";
import { type AnyDefinition, hasLifecycle, isCreatedBeforeDelete } from "../language/resource";
import type { Site } from "../language/service";
import type { PreviewInput } from "../language/stepInput";
import { formatRecords, parseRecords, RECORDS, type Records } from "../state/records";
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
  if (hasLifecycle(definition, "procedure"))
    return isCreatedBeforeDelete(definition) ? undefined : key(server, token, where.id.format(address));
  if (!hasLifecycle(definition, "object") || definition.life.deletion.kind === "stays") return undefined;
  const { path, query = {} } = definition.life.deletion.route;
  const parameters = Object.entries(query).map(([name, template]) => `${name}=${fillTemplate(template)}`);
  return key(server, fillTemplate(path), ...parameters.sort());
}

/** Identifies the server of an address, and the realm there. */
function serverKey({ service }: AnyDefinition, { settings }: Site, address: Address): unknown[] {
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

/** A resource on record, and the program's inputs for it. In a preview, parts of the inputs may be unknown. */
export interface RecordedResource {
  readonly definition: AnyDefinition;
  readonly connection: Site;
  readonly records: Records;
  readonly inputs: Inputs;
}

/** The changed parts of the address. A part that no one sets is the one that the server chose. */
export function changedParts(recorded: RecordedResource): string[] {
  const { definition, connection, records, inputs } = recorded;
  const { where } = definition;
  const address = addressOf(definition, connection, inputs);
  const isOpen = fieldsOf(definition).some(
    (field) => field.facts.document && writtenForm(definition, field, inputs)?.value === UNKNOWN,
  );
  const moved = addressParts(definition).filter((name) => {
    const part = address[name];
    if (isAtFormerDefault(recorded, name)) return false;
    // A document that is still unknown may change the part. The diff reports this once the document is known.
    if (isOpen && inputs[name] === undefined) return false;
    if (part === UNKNOWN) return true;
    const unset = where.defaults?.[name]?.unset;
    const before = records.address[name] ?? unset;
    if (part !== undefined) return part !== (before && storedPart(where, connection, name, before));
    const wasGiven = (records.lastApplied[name] ?? null) !== null;
    return wasGiven && records.address[name] !== unset;
  });
  const { connection: named } = records.lastApplied;
  const isSame = isSameConnection(connection, typeof named === "string" ? named : undefined);
  return isSame ? moved : ["connection", ...moved];
}

/**
 * True if a new object would replace the old one in place: the address is unchanged, or the server treats both addresses as
 * one.
 */
export function staysInPlace(recorded: RecordedResource, moved: readonly string[]): boolean {
  const { definition, connection, records, inputs } = recorded;
  if (moved.length === 0) return true;
  const now = placeKey(definition, connection, knownAddress(addressOf(definition, connection, inputs)));
  const before = placeKey(definition, connection, records.address);
  return !moved.includes("connection") && now !== undefined && now === before;
}

/**
 * True if the program does not set this part, and the object was created under an earlier default. The object stays there
 * when the default changes.
 */
function isAtFormerDefault(
  { definition, connection, records, inputs }: RecordedResource,
  name: string,
): boolean {
  if ((inputs[name] ?? null) !== null) return false;
  return definition.where.defaults?.[name]?.isFormer?.(connection, records.address[name]) ?? false;
}

/** Notes for a replacement that is created at the current defaults, which may be a different place. */
export function movesToDefault(recorded: RecordedResource): string[] {
  const { definition, connection, records, inputs } = recorded;
  const now = addressOf(definition, connection, inputs);
  return addressParts(definition)
    .filter((name) => isAtFormerDefault(recorded, name) && now[name] !== records.address[name])
    .map(
      (name) =>
        `${name} is ${JSON.stringify(records.address[name])}, the default when the object was created; the replacement is created at ${JSON.stringify(now[name])}, ` +
        `the current default: set ${name} to keep the object in place`,
    );
}

/** Remembers that the program moves this object, so that the objects below it move with it. */
export function rememberMove(recorded: RecordedResource, places: PlaceMemory | undefined): void {
  const { definition, connection, records, inputs } = recorded;
  const { parent } = definition.where;
  if (parent === undefined) return;
  const [from, to] = [records.address[parent.part], inputs[parent.part]];
  if (from === undefined || typeof to !== "string" || from === to) return;
  const server = serverKey(definition, connection, records.address);
  places?.move(key(...server, parent.below, from), to);
}

/** The outputs in the state, with the new address of an object whose parent this command moves. */
export function followMove(definition: AnyDefinition, input: PreviewInput, outputs: Inputs): Inputs {
  const { connection, places } = input;
  const records = parseRecords(outputs);
  if (records === undefined) return outputs;
  const server = serverKey(definition, connection, records.address);
  const moved: Record<string, string> = {};
  for (const part of addressParts(definition)) {
    const from = records.address[part];
    const to = from === undefined ? undefined : places?.movedTo(key(...server, part, from));
    if (to !== undefined) moved[part] = to;
  }
  if (Object.keys(moved).length === 0) return outputs;
  const address: Address = { ...records.address, ...moved };
  return { ...outputs, ...moved, [RECORDS]: formatRecords({ ...records, address }) };
}

/** The parts of an address that differ. */
export function movedParts(before: Records, after: Records): string[] {
  return Object.keys(after.address).filter((part) => after.address[part] !== before.address[part]);
}
