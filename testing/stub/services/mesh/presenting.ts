import { createHash } from "node:crypto";
import type { Members } from "../../json";
import { kindOf } from "./decode";
import { isEnterprise } from "./edition";
import type { Switches } from "./settings";
import type { Condition, Entry } from "./world";

/** An entry as a read returns it, with the fields that the server adds (wire facts: "Reads add fields"). */
export function presentEntry(
  entry: Entry,
  switches: Pick<Switches, "adds" | "dialect" | "edition">,
): Members {
  const { adds, dialect } = switches;
  const kind = kindOf(entry.kind);
  // "`mesh` reads carry no `Name`."
  const identity = { Kind: entry.kind, ...(entry.kind !== "mesh" && { Name: entry.name }) };
  const indexes = { CreateIndex: entry.createIndex, ModifyIndex: entry.modifyIndex };
  if (!adds) return { ...identity, ...entry.spelled, ...indexes };
  const showsPlaces = isEnterprise(switches);
  const showsNanoseconds = dialect === "real";
  const place = { namespace: entry.namespace, partition: entry.partition, showsPlaces, showsNanoseconds };
  const { Meta, ...fields } = kind.fields.show(entry.spelled, place) ?? {};
  return {
    ...identity,
    ...fields,
    ...(kind.hasStatus === true && {
      Status: {
        Conditions:
          entry.conditions.length === 0
            ? null
            : entry.conditions.map((condition) => conditionOf(condition, switches)),
      },
    }),
    ...(Meta !== undefined && { Meta }),
    Hash: hashOf(entry.body),
    ...(showsPlaces && { Partition: entry.partition, Namespace: entry.namespace }),
    ...indexes,
  };
}

/** Consul returns an empty resource if the condition has none; the community edition omits namespaces and partitions. */
function conditionOf(condition: Condition, switches: Pick<Switches, "dialect" | "edition">): Condition {
  const { dialect } = switches;
  const Resource =
    condition.Resource ?? (dialect === "real" ? { Kind: "", Name: "", SectionName: "" } : null);
  if (Resource === null || isEnterprise(switches)) return { ...condition, Resource };
  const { Partition: _, Namespace: __, ...own } = Resource;
  return { ...condition, Resource: own };
}

/** An entry as a filter sees it: it has every field of its kind, absent ones with their zero value. */
export function outlineEntry(entry: Entry): unknown {
  const place = { namespace: entry.namespace, partition: entry.partition };
  return {
    Kind: entry.kind,
    Name: entry.name,
    ...kindOf(entry.kind).fields.outline(entry.spelled, place),
    Partition: entry.partition,
    Namespace: entry.namespace,
    CreateIndex: entry.createIndex,
    ModifyIndex: entry.modifyIndex,
  };
}

/** An unsigned 64-bit number with its highest bit set: beyond the exact range of a double. */
function hashOf(body: Members): bigint {
  const text = JSON.stringify(body, (_, value) => (typeof value === "bigint" ? `${value}` : value));
  return createHash("sha256").update(text).digest().readBigUInt64BE() | (1n << 63n);
}
