import type { z } from "zod";
import type { Path } from "../value/path";
import type { Inputs } from "../value/unknown";
import type { Parts, Place } from "./place";
import type { References } from "./references";
import type { Rule } from "./rules";
import type { Service } from "./service";
import type { ServiceText } from "./serviceText";

/** Whatever has properties with facts: a resource, or a function's arguments. */
export interface Specified {
  /** `service:Type`, or `service:function`, for ever. */
  readonly token: `${string}:${string}`;
  readonly doc: string;
  /** The heading of the specification that describes it. */
  readonly section: string;
  readonly service: Service;
  readonly fields: Readonly<Record<string, z.ZodType>>;
  readonly rules?: readonly Rule[];
  readonly where?: Parts;
  /** Text in which only the service can read what a program means. */
  readonly serviceText?: ServiceText;
}

/** What every kind of resource says of itself, as its page in the specification describes it. */
export interface DefinitionBase extends Specified {
  readonly where: Place;
  /** Which objects of its service it names, and by what they name it. */
  readonly references?: References;
  /** What a preview says about this change, beside the change itself. */
  notes?(change: PlannedChange): readonly string[];
}

/** What a preview is told about. */
export interface PlannedChange {
  readonly step: "create" | "update" | "delete";
  readonly inputs: Inputs;
  readonly changed: readonly Path[];
  /** What of it makes another object take the place of this one, which is then deleted; nothing where it stays. */
  readonly replaces?: readonly string[];
  /** What the state shows of the resource, as last read; nothing before a create. */
  readonly outputs?: Inputs;
}
