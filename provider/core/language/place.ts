import { whyNoName } from "../http/urls";
import type { Inputs, Value } from "../value/unknown";
import { type IdTemplate, idTemplate } from "./id";
import type { Address, Observation } from "./object";
import type { Site } from "./service";

/** The sources of address parts that are not properties of the program. */
export interface AddressParts {
  /** Parts with a default, used if the program does not set them. */
  readonly defaults?: Readonly<Record<string, Default>>;
  /**
   * Parts that the program's inputs give in addition to the properties that are parts themselves. Inputs and parts may be
   * unknown.
   */
  fromInputs?(inputs: Inputs): Readonly<Record<string, Value | undefined>>;
  /** The parts that a function requires. A resource requires the parts in the path of its create request. */
  readonly needed?: readonly string[];
  /** Parts that take the value of another part, regardless of its source. */
  readonly follows?: Readonly<Record<string, Following>>;
  /** How the servers treat the names in parts of the address. */
  readonly names?: Readonly<Record<string, Naming>>;
}

/** How a server treats a name that is part of an address. */
export interface Naming {
  /** The spelling that the server stores, and that requests and IDs use. Names with the same spelling are the same object. */
  stored?(name: string, site: Site): string;
  /**
   * The spelling that the server uses to compare names that it stores as written. Names with the same spelling are the same
   * object.
   */
  comparedAs?(name: string, site: Site): string;
  /** Why the server cannot address an object of this name ("must …"); undefined if it can. */
  problem?(name: string, site: Site): string | undefined;
}

/** A part of an address as the server stores it. */
export function storedPart(
  { names }: Pick<AddressParts, "names">,
  site: Site,
  part: string,
  name: string,
): string {
  return names?.[part]?.stored?.(name, site) ?? name;
}

/** A part of an address as the server compares it. */
export function foundPart(
  parts: Pick<AddressParts, "names">,
  site: Site,
  part: string,
  name: string,
): string {
  const stored = storedPart(parts, site, part, name);
  return parts.names?.[part]?.comparedAs?.(stored, site) ?? stored;
}

/** Why a part of an address cannot be this name: no path can carry it, or the server cannot address it. */
export function whyNoPart(
  { names }: Pick<AddressParts, "names">,
  site: Site,
  part: string,
  name: string,
): string | undefined {
  return whyNoName(name) ?? names?.[part]?.problem?.(name, site);
}

/** The location of an object: its ID, and the sources of its address parts. */
export interface Place extends Omit<AddressParts, "needed"> {
  readonly id: IdTemplate;
  /** The parts that a response contains, and the member for each. */
  readonly fromResponse?: ResponseParts;
  /**
   * A part of this address that other objects contain under the name `below`, because they are below this object. If this
   * object moves, they move with it (the path of a secrets engine is the `mount` of its roles).
   */
  readonly parent?: { readonly part: string; readonly below: string };
}

/** Address parts, with the response member for each: a non-empty string. */
export type ResponseParts = Readonly<
  Record<string, string | ((body: Observation["body"]) => string | undefined)>
>;

/** The default of a part of an address. */
export interface Default {
  valueFor(site: Site): string | undefined;
  /** The value that the service uses for an unset part, as far as the specification documents it. */
  readonly unset?: string;
  /** True if the recorded value is a former default: an object keeps its address although the default has changed. */
  isFormer?(site: Site, recorded: string | undefined): boolean;
}

/** A part that takes the value of another part, for certain addresses. */
export interface Following {
  readonly part: string;
  appliesTo(address: Address): boolean;
  /** Why both parts must be equal, for a program that sets a different value. */
  readonly reason: string;
}

/** A default from a connection setting. */
export function setting(name: string, more: Pick<Default, "unset"> = {}): Default {
  return {
    valueFor({ settings }) {
      const given = settings[name];
      return typeof given === "string" && given !== "" ? given : undefined;
    },
    ...more,
  };
}

/** Builds a place from its ID template and the further forms that a read accepts. See `idTemplate` for the syntax. */
export function place<P extends Omit<Place, "id">>(
  template: string | readonly [string, ...string[]],
  parts: P = {} as P,
): P & Place {
  const [own, ...others] = [template].flat() as [string, ...string[]];
  return { id: idTemplate(own, ...others), ...parts };
}

/** The address parts in a response. */
export function partsFromResponse(
  { fromResponse = {} }: Pick<Place, "fromResponse">,
  body: Observation["body"],
): Address {
  return Object.fromEntries(
    Object.entries(fromResponse).flatMap(([part, member]) => {
      const value = typeof member === "string" ? body[member] : member(body);
      return typeof value === "string" && value !== "" ? [[part, value]] : [];
    }),
  );
}
