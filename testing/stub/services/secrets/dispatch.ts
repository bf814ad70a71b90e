import type { StubResponse } from "../../service";
import { authEndpoints } from "./auth/engines";
import { cloudEndpoints } from "./cloud/engine";
import { directoryEndpoints } from "./directory/engine";
import { noHandler, unsupportedOperation, unsupportedPath } from "./errors";
import { Fields } from "./fields";
import { withFurtherFields } from "./further-fields";
import { entityEndpoints } from "./identity/entities";
import { groupEndpoints } from "./identity/groups";
import { loginEnforcementEndpoints } from "./identity/login-enforcements";
import { mfaMethodEndpoints } from "./identity/mfa-methods";
import { kvEndpoints } from "./kv/engine";
import { leaseEndpoints } from "./leases";
import { mountEndpoints } from "./mounts";
import { endDeletions, namespaceEndpoints } from "./namespaces";
import { type Endpoint, type EngineOperation, type Operation, route } from "./operation";
import { policyEndpoints } from "./policies";
import { queueEndpoints } from "./queue/engine";
import { recoveryEndpoints } from "./rekey/endpoints";
import { endMoves, remountEndpoints } from "./remounts";
import { addWarnings } from "./warnings";
import type { Mount } from "./world";
import { wrappingEndpoints } from "./wrapping";

/** An operation before its endpoint is resolved. */
export type Arrival = Omit<Operation, "params" | "fields">;

/** Resolves the endpoint at a path of the namespace; throws a 404 or 405 if there is none. */
export function dispatch(
  arrival: Arrival,
  path: string,
): { readonly isPrivileged: boolean; run(): StubResponse } {
  endMoves(arrival);
  endDeletions(arrival);
  const fixed: readonly Endpoint[] = [
    ...mountEndpoints,
    ...remountEndpoints,
    ...policyEndpoints,
    ...leaseEndpoints(arrival.switches),
    ...wrappingEndpoints(arrival.switches),
    // The recovery key belongs to the complete server, so only the root namespace has these endpoints.
    ...(arrival.namespace.path === "" ? recoveryEndpoints(arrival.switches) : []),
    ...mfaMethodEndpoints(arrival.switches),
    ...loginEnforcementEndpoints,
    ...namespaceEndpoints,
    ...entityEndpoints,
    ...groupEndpoints,
  ];
  if (path.startsWith("sys/") || path.startsWith("identity/")) {
    return prepare(fixed, path, arrival, (operation) => operation);
  }
  if (path.startsWith("auth/")) return enterAuth(arrival, path);
  const mounted = findMount(arrival.namespace.mounts, path);
  if (mounted === undefined) throw noHandler(path);
  const [mountPath, mount] = mounted;
  return enter(mount, mountPath, path.slice(mountPath.length + 1), arrival);
}

/** The names that Vault's paths accept, and those that its AWS engine accepts. */
const NAME = /^\w([\w.-]*\w)?$/;
const NAME_WITH_AT = /^\w([\w.@-]*\w)?$/;

/** Vault's LDAP engine lower-cases every name in its paths; `sent` is the original name. */
function foldName(operation: Operation): Operation {
  const { name } = operation.params;
  if (operation.switches.dialect !== "real" || name === undefined) return operation;
  return { ...operation, params: { ...operation.params, name: name.toLowerCase(), sent: name } };
}

/** The mount with the longest matching path. */
function findMount<Row>(mounts: ReadonlyMap<string, Row>, path: string): readonly [string, Row] | undefined {
  return [...mounts]
    .filter(([mountPath]) => path === mountPath || path.startsWith(`${mountPath}/`))
    .sort(([left], [right]) => right.length - left.length)[0];
}

function enterAuth(arrival: Arrival, full: string) {
  const path = full.slice("auth/".length);
  const found = findMount(arrival.namespace.authMethods, path);
  if (found === undefined) throw noHandler(full);
  const [mountPath, { type }] = found;
  const endpoints = authEndpoints[type] ?? [];
  return prepare(endpoints, path.slice(mountPath.length + 1), arrival, (operation) => ({
    ...operation,
    mountPath,
  }));
}

function enter(mount: Mount, mountPath: string, rest: string, arrival: Arrival) {
  const inEngine = <Data>(data: Data) => {
    return (operation: Operation): EngineOperation<Data> => ({ ...operation, mountPath, data });
  };
  switch (mount.type) {
    case "queue":
      return prepare(queueEndpoints, rest, arrival, inEngine(mount.data));
    case "cloud":
      return prepare(cloudEndpoints, rest, arrival, inEngine(mount.data), NAME_WITH_AT);
    case "kv":
      return prepare(kvEndpoints, rest, arrival, inEngine(mount.data));
    case "other":
      return prepare<Operation>([], rest, arrival, (operation) => operation);
    case "directory":
      return prepare(directoryEndpoints, rest, arrival, (operation) =>
        inEngine(mount.data)(foldName(operation)),
      );
  }
}

function prepare<Op extends Operation>(
  endpoints: readonly Endpoint<Op>[],
  path: string,
  arrival: Arrival,
  complete: (operation: Operation) => Op,
  names = NAME,
): { readonly isPrivileged: boolean; run(): StubResponse } {
  const isReal = arrival.switches.dialect === "real";
  const found = route(endpoints, path, isReal ? names : undefined);
  if (found === undefined) throw unsupportedPath();
  const handle = found.endpoint[arrival.verb];
  if (handle === undefined) throw unsupportedOperation();
  return {
    isPrivileged: found.endpoint.isPrivileged ?? false,
    run: () => {
      const sendsFields = arrival.verb !== "read" && arrival.verb !== "list";
      const fields = sendsFields ? Fields.of(arrival.request) : new Fields({});
      const operation = complete({ ...arrival, params: found.params, fields });
      const response = withFurtherFields(operation, found.endpoint, handle);
      return addWarnings(response, operation, found);
    },
  };
}
