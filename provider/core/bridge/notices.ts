import { addressOf } from "../language/address";
import type { AnyDefinition } from "../language/resource";
import type { Connection } from "../language/service";
import type { Notice, Subject } from "../language/stepInput";
import type { Diff } from "../operations/diff";
import { parseRecords } from "../state/records";
import type { Inputs } from "../value/unknown";

/** A resource's name in a message: `Nomad job "default/web"`. */
export function subjectText({ type, name }: Subject): string {
  return name === undefined ? type : `${type} ${JSON.stringify(name)}`;
}

/** A notice as one line. */
export function noticeText({ kind, about, text }: Notice): string {
  if (about === undefined) return text;
  const told = `${subjectText(about)}: ${text}`;
  return kind === "progress" ? told : `${kind}: ${told}`;
}

/** A resource, as far as notes about other resources need it. */
export interface Neighbor {
  readonly definition: AnyDefinition;
  readonly connection: Connection;
  /** The resource's name in a message. */
  readonly subject: string;
}

/**
 * The objects that one pass of an engine replaces, and the resources that name them. A preview reports each pair, no matter
 * which of the two appears first. Plain deletes are missing, because an engine does not send these to the provider in a
 * preview.
 */
export class Going {
  readonly #going = new Map<string, string>();
  readonly #naming = new Map<string, Set<string>>();

  /** Notes about objects that the inputs of a resource name and that this run replaces. */
  notesOnReplaced({ definition, connection, subject }: Neighbor, inputs: Inputs): string[] {
    const names = definition.references?.from(inputs, addressOf(definition, connection, inputs)) ?? [];
    const keys = names.map((name) => keyOf(connection, name));
    for (const key of keys) this.#naming.set(key, (this.#naming.get(key) ?? new Set()).add(subject));
    return others(
      subject,
      keys.flatMap((key) => this.#going.get(key) ?? []),
    ).map((what) => `this object refers to ${what}, which this update replaces`);
  }

  /** Notes about resources that name the object of a resource, if it is replaced. */
  notesOnNaming({ definition, connection, subject }: Neighbor, { changes }: Diff, outputs: Inputs): string[] {
    const address = parseRecords(outputs)?.address;
    if (address === undefined || !changes.some(({ replaces }) => replaces)) return [];
    const keys = (definition.references?.to(address) ?? []).map((name) => keyOf(connection, name));
    for (const key of keys) this.#going.set(key, subject);
    return others(
      subject,
      keys.flatMap((key) => [...(this.#naming.get(key) ?? [])]),
    ).map((who) => `this object is replaced and deleted, but ${who} refers to it`);
  }
}

function keyOf(connection: Connection, name: string): string {
  return JSON.stringify([connection.name ?? null, name]);
}

function others(subject: string, found: readonly string[]): string[] {
  return [...new Set(found)].filter((other) => other !== subject);
}
