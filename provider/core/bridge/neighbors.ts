import { addressOf } from "../language/address";
import type { AnyDefinition } from "../language/resource";
import type { Connection } from "../language/service";
import type { Diff } from "../operations/diff";
import { parseRecords } from "../state/records";
import type { Inputs } from "../value/unknown";
import type { Going } from "./notices";

/** The preview's notes about objects that refer to each other while one of them is replaced. */
export class Neighbors {
  constructor(
    private readonly definition: AnyDefinition,
    private readonly connection: Connection,
    private readonly going: Going,
    /** The resource's name in a message. */
    private readonly subject: string,
  ) {}

  /** Notes about objects that these inputs name and that this run replaces. */
  notesOnReplaced(inputs: Inputs): string[] {
    const { references } = this.definition;
    if (references === undefined) return [];
    const names = references.from(inputs, addressOf(this.definition, this.connection, inputs));
    return this.going
      .names(this.subject, names.map(this.#key))
      .map((what) => `this object refers to ${what}, which this update replaces`);
  }

  /** Notes about resources that name this object, if it is replaced. */
  namers({ changes }: Diff, outputs: Inputs): string[] {
    const { references } = this.definition;
    const address = parseRecords(outputs)?.address;
    if (references === undefined || address === undefined || !changes.some(({ replaces }) => replaces))
      return [];
    return this.going
      .goes(this.subject, references.to(address).map(this.#key))
      .map((who) => `this object is replaced and deleted, but ${who} refers to it`);
  }

  readonly #key = (name: string) => JSON.stringify([this.connection.name ?? null, name]);
}
