import { isObject, type Members } from "../../json";
import { isEnterprise, namespacesIn, partitionsIn, requireEdition } from "./edition";
import { invalid, serverError } from "./errors";
import { KINDS } from "./kinds";
import type { Kind } from "./kinds/define";
import { newerIn } from "./release";
import type { Switches } from "./settings";
import { passedOver } from "./shape/field";
import { Problems } from "./shape/problems";
import { text } from "./shape/scalars";
import { struct } from "./shape/struct";

/** The body of a PUT as sent: its fields are matched to the kind's fields, their values are unchanged. */
export interface Decoded {
  readonly kind: Kind;
  readonly name: string;
  /** The body's namespace; empty if it has none. */
  readonly namespace: string;
  /** The body's partition; empty if it has none. */
  readonly partition: string;
  readonly given: Members;
}

type DecodingSwitches = Pick<Switches, "meshHasName" | "dialect" | "edition" | "release">;

/** Reads the body of a PUT; throws a 400 if the kind is unknown or the kind lacks one of the fields. */
export function decode(body: unknown, switches: DecodingSwitches): Decoded {
  if (!isObject(body)) throw undecodable("the body is not an object");
  const named = body.Kind ?? body.kind;
  if (named === undefined) throw undecodable("Payload does not contain a kind/Kind key at the top level");
  if (typeof named !== "string") throw undecodable("Kind value in payload is not a string");
  const kind = KINDS.get(named);
  if (kind === undefined) throw undecodable(`invalid config entry kind: ${named}`);
  if (hasNoDouble(body)) throw undecodable("a number is none that a float64 holds");
  const problems = new Problems();
  if (!isEnterprise(switches))
    for (const path of namespacesIn(body))
      problems.unknown(path, ", namespaces are a consul enterprise feature");
  if (!isEnterprise(switches)) for (const path of partitionsIn(body)) problems.unknown(path);
  if (switches.release === "1.22") for (const path of newerIn(named, body)) problems.unknown(path);
  const given = envelope(kind, switches).read(body, "", problems) ?? {};
  if (problems.message !== undefined) throw undecodable(problems.message);
  requireEdition(given, switches);
  const { Kind: _, Name = "", Namespace = "", Partition = "", ...own } = given;
  return {
    kind,
    // A kind with only one permitted name does not need it in the body.
    name: String(Name) || (kind.onlyName ?? ""),
    namespace: String(Namespace),
    partition: String(Partition),
    given: own,
  };
}

function hasNoDouble(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  return typeof value === "object" && value !== null && Object.values(value).some(hasNoDouble);
}

export function undecodable(message: string) {
  return invalid(`Request decoding failed: ${message}`);
}

/** The kind in a path; throws a 400 if it is unknown. Consul answers 500 instead. */
export function theKind(name: string, { dialect }: Pick<Switches, "dialect">): Kind {
  const kind = KINDS.get(name);
  if (kind !== undefined) return kind;
  throw (dialect === "real" ? serverError : invalid)(`invalid config entry kind: ${name}`);
}

/** The kind of a stored entry. */
export function kindOf(name: string): Kind {
  const kind = KINDS.get(name);
  if (kind === undefined) throw new Error(`an entry of the kind ${name} cannot be there`);
  return kind;
}

/** The kind's own fields plus the fields common to all entries; callers may send back fields that the server sets. */
function envelope(kind: Kind, switches: DecodingSwitches) {
  const { dialect, meshHasName } = switches;
  const isNamed = kind.kind !== "mesh" || (meshHasName ?? dialect === "neutral");
  return struct({
    ...kind.ownFields,
    Kind: text,
    ...(isNamed && { Name: text }),
    Namespace: text,
    Partition: text,
    CreateIndex: passedOver,
    ModifyIndex: passedOver,
    Hash: passedOver,
    ...(kind.hasStatus === true && { Status: passedOver }),
  });
}
