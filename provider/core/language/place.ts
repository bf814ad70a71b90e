import { whyNoName } from "../http/request";
import type { Inputs, Value } from "../value/unknown";
import { type IdTemplate, idTemplate } from "./id";
import type { Address, Observation } from "./object";
import type { Site } from "./service";

/** What gives the parts of an address that the program's own properties do not. */
export interface Parts {
  /** Parts that have a default where the program says nothing. */
  readonly defaults?: Readonly<Record<string, Default>>;
  /** What the program's inputs give beyond the properties that are parts themselves; parts of both may be unknown. */
  written?(inputs: Inputs): Readonly<Record<string, Value | undefined>>;
  /** The parts without which a function cannot ask; a resource's stand in the path of the request that makes it. */
  readonly needed?: readonly string[];
  /** Parts that follow from another one, whoever gave that. */
  readonly follows?: Readonly<Record<string, Following>>;
  /** What the servers make of the names in parts of the address. */
  readonly names?: Readonly<Record<string, Naming>>;
}

/** What a server makes of a name that is part of an address. */
export interface Naming {
  /** The spelling in which the server stores the name, and which requests and ids use. Names with one spelling are one object. */
  stored?(name: string, site: Site): string;
  /** The spelling by which the server compares names that it stores as written. Names with one spelling are one object. */
  found?(name: string, site: Site): string;
  /** Why the server cannot address an object of this name ("must …"); undefined if it can. */
  problem?(name: string, site: Site): string | undefined;
}

/** A part of an address as the server stores it. */
export function storedPart({ names }: Pick<Parts, "names">, site: Site, part: string, name: string): string {
  return names?.[part]?.stored?.(name, site) ?? name;
}

/** A part of an address as the server looks for it. */
export function foundPart(parts: Pick<Parts, "names">, site: Site, part: string, name: string): string {
  const stored = storedPart(parts, site, part, name);
  return parts.names?.[part]?.found?.(stored, site) ?? stored;
}

/** Why a part of an address cannot be this name: no path can carry it, or the server cannot address it. */
export function whyNoPart(
  { names }: Pick<Parts, "names">,
  site: Site,
  part: string,
  name: string,
): string | undefined {
  return whyNoName(name) ?? names?.[part]?.problem?.(name, site);
}

/** Where an object is: its id, and what gives the parts of its address. */
export interface Place extends Omit<Parts, "needed"> {
  readonly id: IdTemplate;
  /** The parts that an answer gives, by the member that holds each. */
  readonly answered?: Answered;
}

/** Parts of an address by the member of an answer that holds each: text, and not empty. */
export type Answered = Readonly<Record<string, string | ((body: Observation["body"]) => string | undefined)>>;

/** The default of a part of an address. */
export interface Default {
  of(site: Site): string | undefined;
  /** What the service takes where nobody gives the part, as far as the specification says it. */
  readonly unset?: string;
  /** Whether what is on record was a default once: an object stays where it is although the default is another one now. */
  isFormer?(site: Site, recorded: string | undefined): boolean;
}

/** A part that is another one's value, in some places. */
export interface Following {
  readonly part: string;
  where(address: Address): boolean;
  /** Why it must be, for a program that writes another. */
  readonly because: string;
}

/** A default that a setting of the connection gives. */
export function setting(name: string, more: Pick<Default, "unset"> = {}): Default {
  return {
    of({ settings }) {
      const given = settings[name];
      return typeof given === "string" && given !== "" ? given : undefined;
    },
    ...more,
  };
}

/**
 * A place by its id: the template, and further forms that a read takes (`idTemplate` says what may stand in them).
 */
export function place<P extends Omit<Place, "id">>(
  template: string | readonly [string, ...string[]],
  parts: P = {} as P,
): P & Place {
  const [own, ...others] = [template].flat() as [string, ...string[]];
  return { id: idTemplate(own, ...others), ...parts };
}

/** The parts that an answer gives. */
export function answeredParts(
  { answered = {} }: Pick<Place, "answered">,
  body: Observation["body"],
): Address {
  return Object.fromEntries(
    Object.entries(answered).flatMap(([part, member]) => {
      const value = typeof member === "string" ? body[member] : member(body);
      return typeof value === "string" && value !== "" ? [[part, value]] : [];
    }),
  );
}
