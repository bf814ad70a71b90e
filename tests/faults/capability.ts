import { readsBeforeCreate } from "../../provider/core/language/creation";
import { fieldsOf } from "../../provider/core/language/fields";
import type { AnyDefinition, ObjectLifecycle } from "../../provider/core/language/resource";

/** The capabilities of a definition and its service that rules refer to. */
export interface Capability {
  readonly lives: AnyDefinition["life"]["kind"];
  /** The service has a precondition for writes. */
  readonly checksWrites: boolean;
  /** A write that is based on a read is rejected if the object changed since. Nothing is known of the time after the write. */
  readonly checksReads: boolean;
  readonly checksDeletes: boolean;
  /** A repeated write shows whether the written values are still stored. */
  readonly provesByRepeating: boolean;
  /** The service rejects the create of an existing object. */
  readonly refusesExisting: boolean;
  /** A create reads before it writes. */
  readonly looksFirst: boolean;
  /** A program can adopt an existing object. */
  readonly adopts: boolean;
  /** The service never returns some of the written values. */
  readonly writesUnseen: boolean;
  /** A read shows whether an action was carried out. */
  readonly hasWitness: boolean;
}

/** The capabilities of a definition. */
export function capabilityOf(definition: AnyDefinition): Capability {
  const { life } = definition;
  const object: ObjectLifecycle | undefined = life.kind === "object" ? life : undefined;
  const { check, creation, deletion, writes } = object ?? {};
  return {
    lives: life.kind,
    checksWrites: check !== undefined,
    checksReads: writes?.precondition !== undefined,
    checksDeletes: deletion?.kind === "deletes" && deletion.isChecked,
    provesByRepeating: check?.proof === "repeated",
    refusesExisting: creation?.existing?.by === "rejection" || check !== undefined,
    looksFirst: object !== undefined && readsBeforeCreate(object),
    adopts: "adopt" in definition.fields,
    writesUnseen: fieldsOf(definition).some(({ facts }) => facts.writeOnly !== undefined),
    hasWitness: life.kind === "action" && life.witness !== undefined,
  };
}
