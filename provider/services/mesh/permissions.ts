import type { Needed, PermissionsRow } from "../../core";

const onService = (right: string): Needed => ({ anyOf: [right], on: "the service {1}" });
const SERVICE_READ = [onService("service:read")];
const CLUSTER_WRITE: readonly Needed[] = [{ anyOf: ["mesh:write", "operator:write"], on: "the mesh" }];

/** A token that sends a service's traffic on to another service must have the permission to read that service. */
const LEADS_ON: Needed = {
  anyOf: ["service:read"],
  on: "each other service that it routes traffic to",
  when: "if any",
};

const CLUSTER_READ: readonly Needed[] = [{ anyOf: ["mesh:read", "operator:read"], on: "the mesh" }];

/** A list shows the entries that the token may read. Consul never rejects it. */
const onEach = (needed: Needed): Needed =>
  needed.on === "the mesh" ? needed : { ...needed, on: "each service whose entry it returns" };

/** "Required ACLs by kind": the permissions for a write or a delete, and those for a read. */
const BY_KIND: Readonly<
  Record<string, { readonly write: readonly Needed[]; readonly read: readonly Needed[] }>
> = {
  "api-gateway": { write: CLUSTER_WRITE, read: SERVICE_READ },
  "exported-services": { write: CLUSTER_WRITE, read: CLUSTER_READ },
  "file-system-certificate": { write: CLUSTER_WRITE, read: CLUSTER_READ },
  "http-route": { write: CLUSTER_WRITE, read: CLUSTER_READ },
  "ingress-gateway": { write: CLUSTER_WRITE, read: SERVICE_READ },
  "inline-certificate": { write: CLUSTER_WRITE, read: CLUSTER_READ },
  "jwt-provider": { write: CLUSTER_WRITE, read: CLUSTER_READ },
  mesh: { write: CLUSTER_WRITE, read: [] },
  "proxy-defaults": { write: CLUSTER_WRITE, read: [] },
  "service-defaults": { write: [onService("service:write")], read: SERVICE_READ },
  "service-intentions": { write: [onService("intentions:write")], read: [onService("intentions:read")] },
  "service-resolver": { write: [onService("service:write"), LEADS_ON], read: SERVICE_READ },
  "service-router": { write: [onService("service:write"), LEADS_ON], read: SERVICE_READ },
  "service-splitter": { write: [onService("service:write"), LEADS_ON], read: SERVICE_READ },
  "tcp-route": { write: CLUSTER_WRITE, read: CLUSTER_READ },
  "terminating-gateway": { write: CLUSTER_WRITE, read: SERVICE_READ },
};

/** The permissions, by the path of an entry. They also apply to a write, although its own path does not name the entry. */
const entryPermissions: readonly PermissionsRow[] = Object.entries(BY_KIND).flatMap(
  ([kind, { write, read }]) => [
    { methods: ["PUT"], path: `/config/${kind}/*`, needs: write },
    // A deleted entry sends no traffic on.
    { methods: ["DELETE"], path: `/config/${kind}/*`, needs: write.filter((needed) => needed !== LEADS_ON) },
    { methods: ["GET"], path: `/config/${kind}/*`, needs: read },
    { methods: ["GET"], path: `/config/${kind}`, needs: read.map(onEach) },
  ],
);

const onKey = (right: string): Needed => ({ anyOf: [right], on: "the key {1}" });
const onAcl = (right: string): Needed => ({ anyOf: [right], on: "ACLs" });
const acl = (kind: string, kinds: string): readonly PermissionsRow[] => [
  { methods: ["GET"], path: `/acl/${kinds}`, needs: [onAcl("acl:read")] },
  { methods: ["GET"], path: `/acl/${kind}/**`, needs: [onAcl("acl:read")] },
  { methods: ["PUT"], path: `/acl/${kind}`, needs: [onAcl("acl:write")] },
  { methods: ["PUT", "DELETE"], path: `/acl/${kind}/*`, needs: [onAcl("acl:write")] },
];

/** The permissions of all requests. */
export const permissions: readonly PermissionsRow[] = [
  ...entryPermissions,
  { methods: ["GET"], path: "/kv/", needs: [{ anyOf: ["key:read"], on: "each key that it returns" }] },
  { methods: ["GET"], path: "/kv/**", needs: [onKey("key:read")] },
  { methods: ["PUT", "DELETE"], path: "/kv/**", needs: [onKey("key:write")] },
  ...acl("policy", "policies"),
  ...acl("role", "roles"),
  // Consul hides the secret of a token from a token that may only read.
  { methods: ["GET"], path: "/acl/token/*", needs: [onAcl("acl:write")] },
  ...acl("token", "tokens"),
];
