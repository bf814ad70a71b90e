import { isObject, type Members } from "../../json";
import { invalid } from "./errors";
import { KINDS } from "./kinds";
import type { Kind } from "./kinds/define";
import type { Switches } from "./settings";
import { passedOver } from "./shape/field";
import { Problems } from "./shape/problems";
import { text } from "./shape/scalars";
import { struct } from "./shape/struct";

/** The body of a PUT, as it was sent: its fields found, nothing of them changed. */
export interface Decoded {
  readonly kind: Kind;
  readonly name: string;
  /** As the body says; empty where it does not. */
  readonly namespace: string;
  readonly given: Members;
}

/** Reads the body of a PUT; 400 where the kind is none, or a field is none of the kind's. */
export function decode(body: unknown, switches: Pick<Switches, "meshHasName" | "dialect">): Decoded {
  if (!isObject(body)) throw undecodable("the body is not an object");
  const named = body.Kind ?? body.kind;
  if (named === undefined) throw undecodable("Payload does not contain a kind/Kind key at the top level");
  if (typeof named !== "string") throw undecodable("Kind value in payload is not a string");
  const kind = KINDS.get(named);
  if (kind === undefined) throw undecodable(`invalid config entry kind: ${named}`);
  const problems = new Problems();
  const given = envelope(kind, switches).read(body, "", problems) ?? {};
  if (problems.message !== undefined) throw undecodable(problems.message);
  const { Kind: _, Name = "", Namespace = "", Partition: __, ...own } = given;
  return {
    kind,
    // A kind with one name only needs none in the body.
    name: String(Name) || (kind.onlyName ?? ""),
    namespace: String(Namespace),
    given: own,
  };
}

export function undecodable(message: string) {
  return invalid(`Request decoding failed: ${message}`);
}

/** The kind that a path names; 400 where it is none. */
export function theKind(name: string): Kind {
  const kind = KINDS.get(name);
  if (kind === undefined) throw invalid(`invalid config entry kind: ${name}`);
  return kind;
}

/** The kind's own fields with those of every entry; what the service sets may be sent back. */
function envelope(kind: Kind, { dialect, meshHasName }: Pick<Switches, "meshHasName" | "dialect">) {
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
