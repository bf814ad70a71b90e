/** A right that an ACL rule gives: on a service or its intentions by name, or on the cluster. */
export type Resource = "service" | "intentions" | "mesh" | "operator";

/** What the specification's table "Required ACLs by kind" says of one kind. */
export interface Kind {
  /** Any of these, to write; none where the kind is not writable. */
  readonly write: readonly Resource[];
  /** Any of these; none where no ACL is required. */
  readonly read: readonly Resource[];
  /** The only name that an entry of this kind may have. */
  readonly onlyName?: string;
  /** The fields that the kind has beside those of every entry (the product's public documentation). */
  readonly fields: readonly string[];
}

const CLUSTER = ["mesh", "operator"] as const;
const SERVICE = ["service"] as const;
const INTENTIONS = ["intentions"] as const;

/** The fields of every entry. What the service itself sets may be sent back, and is passed over. */
export const COMMON_FIELDS: ReadonlySet<string> = new Set([
  "Kind",
  "Name",
  "Meta",
  "Namespace",
  "Partition",
  "CreateIndex",
  "ModifyIndex",
  "Hash",
  "Status",
]);

const PROXY_FIELDS = [
  "TransparentProxy",
  "MutualTLSMode",
  "MeshGateway",
  "Expose",
  "Mode",
  "EnvoyExtensions",
];

/** Every kind of the specification, in its order. */
export const KINDS: Readonly<Record<string, Kind>> = {
  "api-gateway": { write: CLUSTER, read: SERVICE, fields: ["Listeners"] },
  "bound-api-gateway": { write: [], read: SERVICE, fields: ["Listeners", "Services"] },
  "exported-services": { write: CLUSTER, read: CLUSTER, fields: ["Services"] },
  "http-route": { write: CLUSTER, read: CLUSTER, fields: ["Parents", "Rules", "Hostnames"] },
  "ingress-gateway": { write: CLUSTER, read: SERVICE, fields: ["TLS", "Listeners", "Defaults"] },
  "inline-certificate": { write: CLUSTER, read: CLUSTER, fields: ["Certificate", "PrivateKey"] },
  mesh: {
    write: CLUSTER,
    read: [],
    onlyName: "mesh",
    fields: [
      "TransparentProxy",
      "AllowEnablingPermissiveMutualTLS",
      "TLS",
      "HTTP",
      "Peering",
      "ValidateClusters",
    ],
  },
  "proxy-defaults": {
    write: CLUSTER,
    read: [],
    onlyName: "global",
    fields: [...PROXY_FIELDS, "Config", "AccessLogs", "FailoverPolicy", "PrioritizeByLocality", "Protocol"],
  },
  "service-defaults": {
    write: SERVICE,
    read: SERVICE,
    fields: [
      ...PROXY_FIELDS,
      "Protocol",
      "BalanceInboundConnections",
      "UpstreamConfig",
      "Destination",
      "MaxInboundConnections",
      "LocalConnectTimeoutMs",
      "LocalRequestTimeoutMs",
      "ExternalSNI",
      "RateLimits",
    ],
  },
  "service-intentions": { write: INTENTIONS, read: INTENTIONS, fields: ["Sources", "JWT"] },
  "service-resolver": {
    write: SERVICE,
    read: SERVICE,
    fields: [
      "DefaultSubset",
      "Subsets",
      "Redirect",
      "Failover",
      "ConnectTimeout",
      "RequestTimeout",
      "LoadBalancer",
      "PrioritizeByLocality",
    ],
  },
  "service-router": { write: SERVICE, read: SERVICE, fields: ["Routes"] },
  "service-splitter": { write: SERVICE, read: SERVICE, fields: ["Splits"] },
  "tcp-route": { write: CLUSTER, read: CLUSTER, fields: ["Parents", "Services"] },
  "terminating-gateway": { write: CLUSTER, read: SERVICE, fields: ["Services"] },
};
