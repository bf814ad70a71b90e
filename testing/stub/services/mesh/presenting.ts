import { createHash } from "node:crypto";
import type { Members } from "../../json";
import { theKind } from "./decode";
import type { Switches } from "./settings";
import type { Entry } from "./world";

/** There is one partition. */
export const PARTITION = "default";

/** An entry as a read answers it, with what the service adds (wire facts: "Reads add fields"). */
export function presented(entry: Entry, { adds }: Pick<Switches, "adds">): Members {
  const kind = theKind(entry.kind);
  // "`mesh` reads carry no `Name`."
  const identity = { Kind: entry.kind, ...(entry.kind !== "mesh" && { Name: entry.name }) };
  const indexes = { CreateIndex: entry.createIndex, ModifyIndex: entry.modifyIndex };
  if (!adds) return { ...identity, ...entry.spelled, ...indexes };
  const place = { namespace: entry.namespace, partition: PARTITION };
  const { Meta, ...fields } = kind.fields.show(entry.spelled, place) ?? {};
  return {
    ...identity,
    ...fields,
    ...(kind.hasStatus === true && {
      Status: { Conditions: entry.conditions.length === 0 ? null : entry.conditions },
    }),
    ...(Meta !== undefined && { Meta }),
    Hash: hashOf(entry.body),
    Partition: PARTITION,
    Namespace: entry.namespace,
    ...indexes,
  };
}

/** An entry as a filter sees it: every field of its kind is there, with its zero value where it is absent. */
export function outlined(entry: Entry): unknown {
  const place = { namespace: entry.namespace, partition: PARTITION };
  return {
    Kind: entry.kind,
    Name: entry.name,
    ...theKind(entry.kind).fields.outline(entry.spelled, place),
    Partition: PARTITION,
    Namespace: entry.namespace,
    CreateIndex: entry.createIndex,
    ModifyIndex: entry.modifyIndex,
  };
}

/** An unsigned number of 64 bits, of which the uppermost is set: beyond what a double holds. */
function hashOf(body: Members): bigint {
  const text = JSON.stringify(body, (_, value) => (typeof value === "bigint" ? `${value}` : value));
  return createHash("sha256").update(text).digest().readBigUInt64BE() | (1n << 63n);
}
