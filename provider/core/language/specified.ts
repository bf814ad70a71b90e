import type { z } from "zod";
import type { Path } from "../value/path";
import type { Inputs, Value } from "../value/unknown";
import type { Site } from "./connection";
import type { IdTemplate } from "./id";
import type { Address } from "./object";
import type { Problem, Rule } from "./rules";
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
  /** The parts of the address that come from the service's settings where the program gives none. */
  readonly fallsBack?: Readonly<Record<string, (connection: Site) => string | undefined>>;
  /**
   * Parts of the address that have a default: whether an object stays where it is on record although the default is
   * another one now. It is asked where the program does not say the part.
   */
  readonly staysAt?: Readonly<Record<string, (connection: Site, recorded: string | undefined) => boolean>>;
  /** The parts of the address without which nothing can be sent. */
  readonly needs?: readonly string[];
  /** What the service takes for a part of the address that nobody gives, as far as the specification says it. */
  readonly unsetMeans?: Readonly<Record<string, string>>;
  /** The address that the program's inputs give, beyond its identity properties; parts of both may be unknown. */
  addressFrom?(inputs: Inputs): Readonly<Record<string, Value | undefined>>;
  /** Text in which only the service can read what a program means. */
  readonly serviceText?: ServiceText;
  /** Parts of the address that follow from others, whoever gave those. */
  completes?(address: Address): Address;
  /** What is wrong with the address as a whole, and at which property. */
  addressProblem?(address: Address): Problem | undefined;
}

/** What every kind of resource says of itself, as its page in the specification describes it. */
export interface Described extends Specified {
  readonly id: IdTemplate;
  /** A replacement takes no place that is taken: it is made before what it replaces is ended. */
  readonly standsBeside?: boolean;
  /** What a preview says about this change, beside the change itself. */
  notes?(change: PlannedChange): readonly string[];
}

/** What a preview is told about. */
export interface PlannedChange {
  readonly step: "create" | "update" | "delete";
  readonly inputs: Inputs;
  readonly changed: readonly Path[];
  /** What the state shows of the resource, as last read; nothing before a create. */
  readonly outputs?: Inputs;
}
