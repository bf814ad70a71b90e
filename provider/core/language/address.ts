import { type Inputs, UNKNOWN, type Value } from "../value/unknown";
import { type DefinitionBase, fieldsOf, nounOf, type Specified } from "./fields";
import type { Address } from "./object";
import { storedPart } from "./place";
import { isAddress } from "./role";
import type { Site } from "./service";
import type { Subject } from "./stepInput";

/**
 * The address of the object that these inputs describe. Each part comes from the program's property, else from the program's
 * own document, else from the connection's settings. A part without a value stays unset, and no request sends it.
 */
export function addressOf(
  definition: Specified,
  connection: Site,
  inputs: Inputs,
): Record<string, Value | undefined> {
  const { fromInputs, defaults = {}, follows = {} } = definition.where ?? {};
  const own = fromInputs?.(inputs) ?? {};
  const address: Record<string, Value | undefined> = {};
  for (const name of new Set([...addressParts(definition), ...Object.keys(own)])) {
    const written = inputs[name];
    const value = written === null || written === undefined ? own[name] : written;
    const part = value ?? defaults[name]?.valueFor(connection);
    if (part === undefined) continue;
    address[name] =
      part === UNKNOWN ? UNKNOWN : storedPart(definition.where ?? {}, connection, name, partText(part));
  }
  const parts = knownAddress(address);
  for (const [name, { part, appliesTo }] of Object.entries(follows)) {
    const followed = parts[part];
    if (followed !== undefined && address[name] === undefined && appliesTo(parts)) address[name] = followed;
  }
  return address;
}

/** A part as a string. In a state that someone edited by hand, a part can have any type. */
function partText(part: Value): string {
  return typeof part === "object" ? JSON.stringify(part) : String(part);
}

/** The names of the parts of a definition's address, in the order of its properties. */
export function addressParts(definition: Specified): readonly string[] {
  const properties = fieldsOf(definition)
    .filter(({ facts }) => isAddress(facts))
    .map(({ name }) => name);
  return [...new Set([...properties, ...Object.keys(definition.where?.defaults ?? {})])];
}

/** The known parts of an address, as requests need them. */
export function knownAddress(address: Record<string, Value | undefined>): Address {
  return Object.fromEntries(
    Object.entries(address).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}

/**
 * The ID of an object. It contains the requested realm, unless that is the connection's own realm. A request without a realm
 * reads from the connection's realm, even if the response names it differently.
 * @param asked the address that the caller requests
 */
export function idOf(
  { where }: Pick<DefinitionBase, "where">,
  connection: Site,
  address: Address,
  asked: Readonly<Record<string, Value | undefined>>,
): string {
  const { realm: name } = where.id;
  const realm = name === undefined ? undefined : asked[name];
  const isSaid = name !== undefined && realm !== where.defaults?.[name]?.valueFor(connection);
  return where.id.format(address, connection.name, isSaid && typeof realm === "string" ? realm : undefined);
}

/** The ID of an object created from these inputs. */
export function idOfInputs(
  definition: DefinitionBase,
  connection: Site,
  address: Address,
  inputs: Inputs,
): string {
  const asked = definition.where.id.realm === undefined ? {} : addressOf(definition, connection, inputs);
  return idOf(definition, connection, address, asked);
}

/**
 * The ID of a recorded object. It contains the realm only if the earlier ID did, so that values derived from an ID do not
 * change with a setting or a package update.
 */
export function idOnRecord(
  { where }: DefinitionBase,
  connection: Site,
  address: Address,
  before: string,
): string {
  const { realm } = where.id;
  const said = realm === undefined ? undefined : where.id.parse(before)?.address[realm];
  return where.id.format(address, connection.name, said);
}

/** The name of a resource in messages, with its ID: `Nomad job "default/web"`. */
export function nameOf(definition: DefinitionBase, id: string): string {
  return `${nounOf(definition)} ${JSON.stringify(id)}`;
}

/**
 * The resource as messages about it name it: by its ID, else by the ID that its inputs give. If the service generates the
 * ID, by the name in the program's inputs.
 */
export function subjectOf(
  definition: DefinitionBase,
  connection: Site,
  inputs: Inputs,
  id: string | undefined,
): Subject {
  const type = nounOf(definition);
  if (id !== undefined) return { type, name: id };
  const address = knownAddress(addressOf(definition, connection, inputs));
  const { id: template } = definition.where;
  if (template.parse(template.format(address)) !== undefined)
    return { type, name: idOf(definition, connection, address, address) };
  const names = fieldsOf(definition).filter(({ name }) => /^name$|Name$/.test(name));
  const name = names.map((field) => inputs[field.name]).find((value) => typeof value === "string");
  return name === undefined ? { type } : { type, name };
}

/** True if the recorded connection name is this connection's name or one of its aliases. */
export function isSameConnection(connection: Site, recorded: string | undefined): boolean {
  return connection.name === recorded || (recorded !== undefined && connection.aliases.includes(recorded));
}
