import { looksBeforeCreate } from "../../provider/core/language/creation";
import { fieldsOf } from "../../provider/core/language/fields";
import type { AnyDefinition, ObjectLife } from "../../provider/core/language/resource";

/** What a definition and its service make possible, as far as the rules speak of it. */
export interface Capability {
  readonly lives: AnyDefinition["life"]["kind"];
  /** The service checks writes against an index. */
  readonly checksWrites: boolean;
  readonly checksDeletes: boolean;
  /** A write is repeated to see whether the service still holds what was written. */
  readonly provesByRepeating: boolean;
  /** The service refuses to make what is there. */
  readonly refusesExisting: boolean;
  /** A create looks before it writes. */
  readonly looksFirst: boolean;
  /** A program can say that it takes over what stands there. */
  readonly adopts: boolean;
  /** Some of what is written the service never shows. */
  readonly writesUnseen: boolean;
  /** The service shows whether an action was carried out. */
  readonly hasWitness: boolean;
}

/** What a definition makes possible. */
export function capabilityOf(definition: AnyDefinition): Capability {
  const { life } = definition;
  const object: ObjectLife | undefined = life.kind === "object" ? life : undefined;
  const { check, creation, deletion } = object ?? {};
  return {
    lives: life.kind,
    checksWrites: check !== undefined,
    checksDeletes: deletion?.kind === "deletes" && deletion.isChecked,
    provesByRepeating: check?.proof === "repeated",
    refusesExisting: creation?.existing?.by === "a refusal" || check !== undefined,
    looksFirst: object !== undefined && looksBeforeCreate(object),
    adopts: "adopt" in definition.fields,
    writesUnseen: fieldsOf(definition).some(({ facts }) => facts.writeOnly !== undefined),
    hasWitness: life.kind === "action" && life.witness !== undefined,
  };
}
