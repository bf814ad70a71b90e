import { type Inputs, UNKNOWN, type Value } from "../value/unknown";
import { type DefinitionBase, fieldsOf, type Specified } from "./fields";
import type { Address } from "./object";
import { storedPart } from "./place";
import { isAddress } from "./role";
import type { Site } from "./service";
import type { Subject } from "./stepInput";

/**
 * Where the object of these inputs is: the program's properties, else what its own document says, else the
 * connection's settings. A part that nobody gives stays unset, and none is sent.
 */
export function addressOf(
  definition: Specified,
  connection: Site,
  inputs: Inputs,
): Record<string, Value | undefined> {
  const { written: writtenBy, defaults = {}, follows = {} } = definition.where ?? {};
  const own = writtenBy?.(inputs) ?? {};
  const address: Record<string, Value | undefined> = {};
  for (const name of new Set([...addressParts(definition), ...Object.keys(own)])) {
    const written = inputs[name];
    const value = written === null || written === undefined ? own[name] : written;
    const part = value ?? defaults[name]?.of(connection);
    if (part === undefined) continue;
    address[name] =
      part === UNKNOWN ? UNKNOWN : storedPart(definition.where ?? {}, connection, name, partText(part));
  }
  const parts = knownAddress(address);
  for (const [name, { part, where }] of Object.entries(follows)) {
    const followed = parts[part];
    if (followed !== undefined && address[name] === undefined && where(parts)) address[name] = followed;
  }
  return address;
}

/** A part as text; of a state that somebody edited it may be anything. */
function partText(part: Value): string {
  return typeof part === "object" ? JSON.stringify(part) : String(part);
}

/** The parts of a definition's address, in the order of its properties. */
export function addressParts(definition: Specified): readonly string[] {
  const properties = fieldsOf(definition)
    .filter(({ facts }) => isAddress(facts))
    .map(({ name }) => name);
  return [...new Set([...properties, ...Object.keys(definition.where?.defaults ?? {})])];
}

/** An address without unknown parts, as requests need it. */
export function knownAddress(address: Record<string, Value | undefined>): Address {
  return Object.fromEntries(
    Object.entries(address).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}

/**
 * The id of an object. It says the realm that is asked for, unless that is the connection's own; who asks for none is
 * answered from the connection's, whatever the answer calls it.
 * @param asked where the object is asked for
 */
export function idOf(
  { where }: Pick<DefinitionBase, "where">,
  connection: Site,
  address: Address,
  asked: Readonly<Record<string, Value | undefined>>,
): string {
  const { realm: name } = where.id;
  const realm = name === undefined ? undefined : asked[name];
  const isSaid = name !== undefined && realm !== where.defaults?.[name]?.of(connection);
  return where.id.format(address, connection.name, isSaid && typeof realm === "string" ? realm : undefined);
}

/** The id of an object that these inputs made. */
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
 * The id of an object that is on record: it says its realm where it did before, so that what is made of an id does not
 * change with a setting, or with an update of the package.
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

/** A resource as messages name it, by its id: `scheduler:Job "default/web"`. */
export function nameOf({ token }: DefinitionBase, id: string): string {
  return `${token} ${JSON.stringify(id)}`;
}

/**
 * A resource as the lines about it name it: by its id, else by the one that its inputs give, else, where the service makes
 * the id, by the name that the program gives it.
 */
export function subjectOf(
  definition: DefinitionBase,
  connection: Site,
  inputs: Inputs,
  id: string | undefined,
): Subject {
  const type = definition.token;
  if (id !== undefined) return { type, name: id };
  const address = knownAddress(addressOf(definition, connection, inputs));
  const { id: template } = definition.where;
  if (template.parse(template.format(address)) !== undefined)
    return { type, name: idOf(definition, connection, address, address) };
  const names = fieldsOf(definition).filter(({ name }) => /^name$|Name$/.test(name));
  const name = names.map((field) => inputs[field.name]).find((value) => typeof value === "string");
  return name === undefined ? { type } : { type, name };
}

/** Whether two connection names mean one connection: the same name, or one an alias of the other. */
export function isSameConnection(connection: Site, recorded: string | undefined): boolean {
  return connection.name === recorded || (recorded !== undefined && connection.aliases.includes(recorded));
}
