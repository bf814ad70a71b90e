import { createHash } from "node:crypto";
import type { Stored } from "./entries";

/** Kinds whose status the service keeps. */
const WITH_STATUS = new Set(["api-gateway", "http-route", "tcp-route"]);
/** Kinds whose proxies have structures that are answered empty where nobody set them. */
const WITH_PROXY = new Set(["service-defaults", "proxy-defaults"]);

/** An entry as a read answers it, with what the service adds by itself (wire facts: "Reads add fields"). */
export function presented({ entry, namespace, createIndex, modifyIndex, touched }: Stored, adds: boolean) {
  const { Name, ...rest } = entry;
  const named = entry.Kind === "mesh" ? rest : { Name, ...rest };
  const indexes = { CreateIndex: createIndex, ModifyIndex: modifyIndex };
  if (!adds) return { ...named, ...indexes };
  return {
    ...(WITH_PROXY.has(entry.Kind) && {
      TransparentProxy: {},
      MeshGateway: {},
      Expose: {},
      ...(entry.Kind === "proxy-defaults" && { AccessLogs: {} }),
    }),
    ...(entry.Kind === "ingress-gateway" && { Hosts: null }),
    ...named,
    Partition: "default",
    Namespace: namespace,
    ...(WITH_STATUS.has(entry.Kind) && {
      Status: {
        Conditions: [
          {
            Type: "Accepted",
            Status: "True",
            Reason: "Accepted",
            Message: `looked at ${touched} times`,
            LastTransitionTime: new Date(touched * 1000).toISOString(),
          },
        ],
      },
    }),
    Hash: hashOf(entry),
    ...indexes,
  };
}

/** An unsigned number of 64 bits, of which the uppermost is set: beyond what a double holds. */
function hashOf(entry: object): bigint {
  const digest = createHash("sha256").update(JSON.stringify(entry)).digest();
  return digest.readBigUInt64BE() | (1n << 63n);
}
