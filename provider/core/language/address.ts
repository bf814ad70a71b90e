import { type Inputs, UNKNOWN, type Value } from "../value/unknown";
import type { Site } from "./connection";
import { fieldsOf } from "./fields";
import type { Address } from "./object";
import { isAddress } from "./role";
import type { DefinitionBase, Specified } from "./specified";
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
    if (part !== undefined) address[name] = part === UNKNOWN ? UNKNOWN : String(part);
  }
  const parts = knownAddress(address);
  for (const [name, { part, where }] of Object.entries(follows)) {
    const followed = parts[part];
    if (followed !== undefined && address[name] === undefined && where(parts)) address[name] = followed;
  }
  return address;
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

/** A resource as messages name it: `scheduler:Job "default/web"`. */
export function nameOf(definition: DefinitionBase, address: Address, connection: Site): string {
  return `${definition.token} ${JSON.stringify(definition.where.id.format(address, connection.name))}`;
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
    return { type, name: template.format(address, connection.name) };
  const names = fieldsOf(definition).filter(({ name }) => /^name$|Name$/.test(name));
  const name = names.map((field) => inputs[field.name]).find((value) => typeof value === "string");
  return name === undefined ? { type } : { type, name };
}

/** Whether two connection names mean one connection: the same name, or one an alias of the other. */
export function isSameConnection(connection: Site, recorded: string | undefined): boolean {
  return connection.name === recorded || (recorded !== undefined && connection.aliases.includes(recorded));
}
