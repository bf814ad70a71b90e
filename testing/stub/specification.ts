import type { ServiceName } from "./service";

/** One endpoint of the specification, or of a product's API that only later resources use. */
export interface SpecifiedEndpoint {
  readonly service: ServiceName;
  readonly method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE" | "LIST";
  /** `:name` matches one segment, `:name*` at the end one or more; `{mount}` is the path at which an engine is mounted. */
  readonly path: string;
  /** The heading of its description; for a product's API, its documentation page. */
  readonly section: string;
}

type Row = readonly [method: SpecifiedEndpoint["method"], path: string, section: string];

const WORKSPACE = "/api/v2/workspaces/:workspace_id";
const NAMED = "/api/v2/organizations/:organization_name/workspaces";
const REGISTRY = "/api/v2/organizations/:organization_name/registry-providers";
const PROVIDER = `${REGISTRY}/:registry_name/:namespace/:name`;
const JOB = "/v1/job/:job_id";
const REKEY = "/v1/sys/rekey-recovery-key";
const METHOD = "/v1/identity/mfa/method/extidp";
const MOUNT_TABLES = [
  ["/v1/sys/mounts", "API: secrets engines"],
  ["/v1/sys/auth", "API: auth methods"],
] as const;
const ACL_POLICIES = "/v1/sys/policies/acl";
const PASSWORD_POLICIES = "/v1/sys/policies/password";
const ENFORCEMENT = "/v1/identity/mfa/login-enforcement";

const workspaces: readonly Row[] = [
  ["POST", NAMED, "Create workspace"],
  ["GET", NAMED, "List workspaces"],
  ["GET", `${NAMED}/:name`, "Show by names"],
  ["GET", WORKSPACE, "Show by id"],
  ["PATCH", WORKSPACE, "Update"],
  ["PATCH", `${NAMED}/:name`, "Update by names"],
  ["POST", `${WORKSPACE}/actions/safe-delete`, "Safe delete by id"],
  ["POST", `${NAMED}/:name/actions/safe-delete`, "Safe delete by names"],
  ["DELETE", WORKSPACE, "Force delete"],
  ["DELETE", `${NAMED}/:name`, "Force delete by names"],
  ["POST", `${WORKSPACE}/actions/lock`, "Lock"],
  ["POST", `${WORKSPACE}/actions/unlock`, "Unlock"],
  ["POST", `${WORKSPACE}/actions/force-unlock`, "Force unlock"],
  ["PATCH", `${WORKSPACE}/relationships/ssh-key`, "Assign or unassign SSH key"],
  ["GET", `${WORKSPACE}/relationships/remote-state-consumers`, "List remote state consumers"],
  ["POST", `${WORKSPACE}/relationships/remote-state-consumers`, "Add remote state consumers"],
  ["PATCH", `${WORKSPACE}/relationships/remote-state-consumers`, "Replace remote state consumers"],
  ["DELETE", `${WORKSPACE}/relationships/remote-state-consumers`, "Delete remote state consumers"],
  ["GET", `${WORKSPACE}/relationships/tags`, "List flat tags"],
  ["POST", `${WORKSPACE}/relationships/tags`, "Bind flat string tags"],
  ["DELETE", `${WORKSPACE}/relationships/tags`, "Delete flat tags"],
  ["GET", `${WORKSPACE}/tag-bindings`, "Key-value tags"],
  ["PATCH", `${WORKSPACE}/tag-bindings`, "Key-value tags"],
  ["GET", `${WORKSPACE}/relationships/data-retention-policy`, "Show data retention policy"],
  ["POST", `${WORKSPACE}/relationships/data-retention-policy`, "Data retention policy"],
  ["DELETE", `${WORKSPACE}/relationships/data-retention-policy`, "Remove retention policy"],
  ["GET", REGISTRY, "List providers"],
  ["POST", REGISTRY, "Create provider"],
  ["GET", PROVIDER, "Get provider"],
  ["DELETE", PROVIDER, "Delete provider"],
  ["GET", "/.well-known/engine.json", "Public registry discovery"],
  ["GET", "/api/registry/public/v1/providers/:namespace/:name/versions", "Public registry"],
];

const scheduler: readonly Row[] = [
  ["GET", "/v1/jobs", "List jobs"],
  ["POST", "/v1/jobs", "Create job"],
  ["POST", "/v1/jobs/parse", "Parse job"],
  ["GET", JOB, "Read job"],
  ["DELETE", JOB, "Deregister job"],
  ["GET", `${JOB}/submission`, "Read job submission"],
  ["GET", `${JOB}/versions`, "List job versions"],
  ["GET", `${JOB}/allocations`, "List job allocations"],
  ["GET", `${JOB}/evaluations`, "List job evaluations"],
  ["GET", `${JOB}/deployments`, "List job deployments"],
];

const secrets: readonly Row[] = [
  ["GET", `${REKEY}/init`, "A1. Recovery-key rekey"],
  ["POST", `${REKEY}/init`, "A1. Recovery-key rekey"],
  ["DELETE", `${REKEY}/init`, "A1. Recovery-key rekey"],
  ["GET", "/v1/sys/rekey/recovery-key-backup", "A1. Recovery-key rekey"],
  ["DELETE", "/v1/sys/rekey/recovery-key-backup", "A1. Recovery-key rekey"],
  ["POST", `${REKEY}/update`, "A1. Recovery-key rekey"],
  ["GET", `${REKEY}/verify`, "A1. Recovery-key rekey"],
  ["DELETE", `${REKEY}/verify`, "A1. Recovery-key rekey"],
  ["POST", `${REKEY}/verify`, "A1. Recovery-key rekey"],
  ["POST", "/v1/{mq_mount}/config/connection", "A2. Message-queue engine"],
  ["POST", "/v1/{mq_mount}/config/lease", "A2. Message-queue engine"],
  ["GET", "/v1/{mq_mount}/config/lease", "A2. Message-queue engine"],
  ["LIST", "/v1/{mq_mount}/roles", "A2. Message-queue engine"],
  ["POST", "/v1/{mq_mount}/roles/:name", "A2. Message-queue engine"],
  ["GET", "/v1/{mq_mount}/roles/:name", "A2. Message-queue engine"],
  ["DELETE", "/v1/{mq_mount}/roles/:name", "A2. Message-queue engine"],
  ["GET", "/v1/{mq_mount}/creds/:name", "A2. Message-queue engine"],
  ["POST", METHOD, "A3. External identity provider MFA method"],
  ["POST", `${METHOD}/:method_id`, "A3. External identity provider MFA method"],
  ["GET", `${METHOD}/:method_id`, "A3. External identity provider MFA method"],
  ["DELETE", `${METHOD}/:method_id`, "A3. External identity provider MFA method"],
  ["LIST", METHOD, "A3. External identity provider MFA method"],
  ["POST", `${ENFORCEMENT}/:name`, "A4. Login enforcement"],
  ["GET", `${ENFORCEMENT}/:name`, "A4. Login enforcement"],
  ["DELETE", `${ENFORCEMENT}/:name`, "A4. Login enforcement"],
  ["LIST", ENFORCEMENT, "A4. Login enforcement"],
  ...MOUNT_TABLES.flatMap(([table, section]): Row[] => [
    ["GET", table, section],
    ["POST", `${table}/:mount*`, section],
    ["DELETE", `${table}/:mount*`, section],
  ]),
  ["POST", "/v1/sys/remount", "API: remount"],
  ["GET", "/v1/sys/remount/status/:id", "API: remount"],
  ["POST", `${ACL_POLICIES}/:policy*`, "API: ACL policies"],
  ["GET", `${ACL_POLICIES}/:policy*`, "API: ACL policies"],
  ["DELETE", `${ACL_POLICIES}/:policy*`, "API: ACL policies"],
  ["LIST", ACL_POLICIES, "API: ACL policies"],
  ["POST", `${PASSWORD_POLICIES}/:policy*`, "API: password policies"],
  ["GET", `${PASSWORD_POLICIES}/:policy*`, "API: password policies"],
  ["DELETE", `${PASSWORD_POLICIES}/:policy*`, "API: password policies"],
  ["LIST", PASSWORD_POLICIES, "API: password policies"],
  ["POST", "/v1/{cloud_mount}/config/root", "A5. Cloud engine"],
  ["GET", "/v1/{cloud_mount}/config/root", "A5. Cloud engine"],
  ["POST", "/v1/{cloud_mount}/config/rotate-root", "A5. Cloud engine"],
  ["POST", "/v1/{cloud_mount}/config/lease", "A5. Cloud engine"],
  ["GET", "/v1/{cloud_mount}/config/lease", "A5. Cloud engine"],
  ["POST", "/v1/{cloud_mount}/roles/:name", "A5. Cloud engine"],
  ["GET", "/v1/{cloud_mount}/roles/:name", "A5. Cloud engine"],
  ["DELETE", "/v1/{cloud_mount}/roles/:name", "A5. Cloud engine"],
  ["LIST", "/v1/{cloud_mount}/roles", "A5. Cloud engine"],
  ["GET", "/v1/{cloud_mount}/creds/:name", "A5. Cloud engine"],
  ["POST", "/v1/{cloud_mount}/sts/:name", "A5. Cloud engine"],
  ["POST", "/v1/{cloud_mount}/static-roles/:name", "A5. Cloud engine"],
  ["GET", "/v1/{cloud_mount}/static-roles/:name", "A5. Cloud engine"],
  ["DELETE", "/v1/{cloud_mount}/static-roles/:name", "A5. Cloud engine"],
  ["GET", "/v1/{cloud_mount}/static-creds/:name", "A5. Cloud engine"],
  ["POST", "/v1/{ldap_mount}/config", "A6. Directory engine"],
  ["GET", "/v1/{ldap_mount}/config", "A6. Directory engine"],
  ["DELETE", "/v1/{ldap_mount}/config", "A6. Directory engine"],
  ["POST", "/v1/{ldap_mount}/rotate-root", "A6. Directory engine"],
  ["LIST", "/v1/{ldap_mount}/static-role", "A6. Directory engine"],
  ["GET", "/v1/{ldap_mount}/static-role/:role_name", "A6. Directory engine"],
  ["POST", "/v1/{ldap_mount}/static-role/:role_name", "A6. Directory engine"],
  ["DELETE", "/v1/{ldap_mount}/static-role/:role_name", "A6. Directory engine"],
  ["GET", "/v1/{ldap_mount}/static-cred/:role_name", "A6. Directory engine"],
  ["POST", "/v1/{ldap_mount}/rotate-role/:role_name", "A6. Directory engine"],
  ["POST", "/v1/{ldap_mount}/role/:role_name", "A6. Directory engine"],
  ["GET", "/v1/{ldap_mount}/role/:role_name", "A6. Directory engine"],
  ["DELETE", "/v1/{ldap_mount}/role/:role_name", "A6. Directory engine"],
  ["GET", "/v1/{ldap_mount}/creds/:role_name", "A6. Directory engine"],
  ["LIST", "/v1/{ldap_mount}/library", "A6. Directory engine"],
  ["POST", "/v1/{ldap_mount}/library/:set_name", "A6. Directory engine"],
  ["GET", "/v1/{ldap_mount}/library/:set_name", "A6. Directory engine"],
  ["DELETE", "/v1/{ldap_mount}/library/:set_name", "A6. Directory engine"],
  ["GET", "/v1/{ldap_mount}/library/:set_name/status", "A6. Directory engine"],
  ["POST", "/v1/{ldap_mount}/library/:set_name/check-out", "A6. Directory engine"],
  ["POST", "/v1/{ldap_mount}/library/:set_name/check-in", "A6. Directory engine"],
  ["POST", "/v1/{ldap_mount}/library/manage/:set_name/check-in", "A6. Directory engine"],
];

const mesh: readonly Row[] = [
  ["PUT", "/v1/config", "B. Configuration entries"],
  ["GET", "/v1/config/:kind/:name", "B. Configuration entries"],
  ["GET", "/v1/config/:kind", "B. Configuration entries"],
  ["DELETE", "/v1/config/:kind/:name", "B. Configuration entries"],
];

/** Every endpoint of the specification. */
export const SPECIFICATION: readonly SpecifiedEndpoint[] = Object.entries({
  workspaces,
  scheduler,
  secrets,
  mesh,
}).flatMap(([service, rows]) =>
  rows.map(([method, path, section]) => ({ service: service as ServiceName, method, path, section })),
);

/** The specification's default mount paths, by its placeholders. */
const MOUNTS: Readonly<Record<string, string>> = {
  "{mq_mount}": "msgq",
  "{cloud_mount}": "cloud",
  "{ldap_mount}": "ldap",
};

/** The endpoint of a request, with engines at their default mounts; undefined if there is none. */
export function endpointOf(
  service: ServiceName,
  method: string,
  path: string,
  query: URLSearchParams,
): SpecifiedEndpoint | undefined {
  const verb = method === "GET" && query.get("list") === "true" ? "LIST" : method === "PUT" ? "POST" : method;
  const [plain] = path.split("?");
  const found = SPECIFICATION.filter(
    (endpoint) => endpoint.service === service && isAt(endpoint.path, plain ?? ""),
  );
  return (
    found.find((endpoint) => endpoint.method === method) ?? found.find((endpoint) => endpoint.method === verb)
  );
}

function isAt(pattern: string, path: string): boolean {
  const parts = pattern.split("/");
  const segments = path.split("/");
  // A literal segment takes precedence over a parameter.
  const isShadowed = segments.includes("manage") && !parts.includes("manage");
  const hasRest = pattern.endsWith("*");
  return (
    (hasRest ? segments.length >= parts.length : segments.length === parts.length) &&
    !isShadowed &&
    parts.every((part, index) => part.startsWith(":") || (MOUNTS[part] ?? part) === segments[index])
  );
}
