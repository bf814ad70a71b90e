import type { Needed, PermissionsRow } from "../../core";

const onNamespace = (right: string): Needed => ({ anyOf: [right], on: "the job's namespace{ namespace?}" });

const onVariables = (capability: string): Needed => ({
  anyOf: [`variables:${capability}`],
  on: "the variable's path in the namespace{ namespace?}",
});

const onNodePool = (capability: string): Needed => ({
  anyOf: [`node_pool:${capability}`],
  on: "the node pool {1}",
});

const onVolumes = (capability: string): Needed => ({
  anyOf: [`namespace:host-volume-${capability}`],
  on: "the volume's namespace{ namespace?}",
});

/** Nomad's documentation calls this permission `management`. */
const management: Needed = { anyOf: ["management"], on: "the cluster" };

/** The capabilities that each page of the specification names under "ACL". */
export const permissions: readonly PermissionsRow[] = [
  { methods: ["GET"], path: "/jobs", needs: [onNamespace("namespace:list-jobs")] },
  {
    methods: ["POST"],
    path: "/jobs",
    needs: [
      onNamespace("namespace:submit-job"),
      { ...onNamespace("namespace:policy-override"), when: "if `policyOverride` is set" },
    ],
  },
  {
    methods: ["POST"],
    path: "/jobs/parse",
    needs: [onNamespace("namespace:parse-job"), onNamespace("namespace:submit-job")],
  },
  {
    methods: ["POST"],
    path: "/job/*/plan",
    needs: [
      { ...onNamespace("namespace:submit-job"), anyOf: ["namespace:submit-job", "namespace:plan-job"] },
      { ...onNamespace("namespace:policy-override"), when: "if `policyOverride` is set" },
    ],
  },
  { methods: ["GET"], path: "/job/**", needs: [onNamespace("namespace:read-job")] },
  { methods: ["DELETE"], path: "/job/*", needs: [onNamespace("namespace:submit-job")] },
  // These lists contain what the token may read.
  { methods: ["GET"], path: "/namespaces", needs: [] },
  { methods: ["GET"], path: "/node/pools", needs: [] },
  { methods: ["GET"], path: "/regions", needs: [] },
  { methods: ["GET"], path: "/nodes", needs: [{ anyOf: ["node:read"], on: "the cluster" }] },
  { methods: ["GET"], path: "/namespace/*", needs: [{ anyOf: ["namespace:*"], on: "the namespace {1}" }] },
  { methods: ["POST", "DELETE"], path: "/namespace/*", needs: [management] },
  { methods: ["GET"], path: "/node/pool/*", needs: [onNodePool("read")] },
  { methods: ["POST"], path: "/node/pool/*", needs: [onNodePool("write")] },
  { methods: ["DELETE"], path: "/node/pool/*", needs: [onNodePool("delete")] },
  { methods: ["GET"], path: "/acl/policies", needs: [management] },
  { methods: ["GET"], path: "/acl/roles", needs: [management] },
  { methods: ["GET", "POST", "DELETE"], path: "/acl/role/**", needs: [management] },
  { methods: ["POST"], path: "/acl/role", needs: [management] },
  { methods: ["GET"], path: "/acl/tokens", needs: [management] },
  { methods: ["GET", "POST", "DELETE"], path: "/acl/token/*", needs: [management] },
  { methods: ["POST"], path: "/acl/token", needs: [management] },
  { methods: ["GET", "POST", "DELETE"], path: "/acl/policy/*", needs: [management] },
  { methods: ["GET"], path: "/volumes", needs: [onVolumes("read")] },
  { methods: ["GET"], path: "/volume/host/*", needs: [onVolumes("read")] },
  { methods: ["PUT"], path: "/volume/host/create", needs: [onVolumes("create")] },
  { methods: ["PUT"], path: "/volume/host/register", needs: [onVolumes("register")] },
  { methods: ["DELETE"], path: "/volume/host/**", needs: [onVolumes("delete")] },
  { methods: ["GET"], path: "/vars", needs: [onVariables("list")] },
  { methods: ["GET"], path: "/var/**", needs: [onVariables("read")] },
  { methods: ["POST"], path: "/var/**", needs: [onVariables("write")] },
  { methods: ["DELETE"], path: "/var/**", needs: [onVariables("destroy")] },
];
