import type { Json } from "../../../provider/core/value/json";
import type { Exchange } from "../../recorded/exchange";

/**
 * A name that no other test uses: the evaluation of a deleted job would start the deployment of the next job with its
 * name.
 */
const JOB = {
  ID: "recorded",
  Datacenters: ["dc9"],
  TaskGroups: [
    {
      Name: "front",
      Count: 1,
      Tasks: [
        {
          Name: "server",
          Driver: "raw_exec",
          Config: { command: "/bin/sleep", args: ["60"] },
          Env: { LEVEL: "info" },
        },
      ],
    },
  ],
};

/** The path of the job. */
const AT = `/v1/job/${JOB.ID}`;

const HCL = `job "parsed" {
  datacenters = ["dc9"]
  group "front" {
    task "server" {
      driver = "raw_exec"
      config {
        command = "/bin/sleep"
      }
    }
  }
}
`;

const [front] = JOB.TaskGroups;
const planOf = (about: string, Job: Json, more: object = {}): Exchange => ({
  about: `a plan of ${about}`,
  method: "POST",
  path: `${AT}/plan`,
  body: { Job, Diff: true },
  ...more,
});

const NAMESPACE = "/v1/namespace/recorded";
const namespaces: readonly Exchange[] = [
  { about: "a namespace that is not there", method: "GET", path: NAMESPACE },
  { about: "a namespace, without a token", method: "GET", path: NAMESPACE, as: "nobody" },
  { about: "the namespaces, without a token", method: "GET", path: "/v1/namespaces", as: "nobody" },
  {
    about: "a namespace, written",
    method: "POST",
    path: NAMESPACE,
    body: {
      Name: "recorded",
      Description: "recorded",
      Meta: { owner: "ops" },
      Capabilities: { EnabledTaskDrivers: ["raw_exec"] },
    },
  },
  { about: "a namespace", method: "GET", path: NAMESPACE },
  { about: "a namespace, replaced", method: "POST", path: NAMESPACE, body: { Name: "recorded" } },
  { about: "the namespaces", method: "GET", path: "/v1/namespaces" },
  { about: "a namespace of another name", method: "POST", path: NAMESPACE, body: { Name: "other" } },
  { about: "a namespace without a valid name", method: "POST", path: "/v1/namespace", body: { Name: "a b" } },
  {
    about: "a namespace with a quota",
    method: "POST",
    path: NAMESPACE,
    body: { Name: "recorded", Quota: "small" },
  },
  {
    about: "a namespace with node pools and clusters",
    method: "POST",
    path: NAMESPACE,
    body: { Name: "recorded", NodePoolConfiguration: {}, VaultConfiguration: {}, ConsulConfiguration: {} },
  },
  {
    about: "a namespace, written without a token",
    method: "POST",
    path: NAMESPACE,
    as: "nobody",
    body: { Name: "recorded" },
  },
  { about: "the default namespace, deleted", method: "DELETE", path: "/v1/namespace/default" },
  { about: "a namespace, deleted", method: "DELETE", path: NAMESPACE },
  { about: "a namespace that is not there, deleted", method: "DELETE", path: NAMESPACE },
];

const VARIABLE = "/v1/var/recorded/app";
const ITEMS = { Items: { Vault: "one", key: "" } };
const variables: readonly Exchange[] = [
  { about: "a variable that is not there", method: "GET", path: VARIABLE },
  { about: "a variable, without a token", method: "GET", path: VARIABLE, as: "nobody" },
  { about: "the variables, without a token", method: "GET", path: "/v1/vars", as: "nobody" },
  { about: "a variable that is not there, updated", method: "POST", path: `${VARIABLE}?cas=7`, body: ITEMS },
  {
    about: "a variable, created",
    method: "POST",
    path: `${VARIABLE}?cas=0`,
    body: ITEMS,
    keep: { variable: ["ModifyIndex"] },
  },
  { about: "a variable", method: "GET", path: VARIABLE },
  { about: "a variable that is there, created", method: "POST", path: `${VARIABLE}?cas=0`, body: ITEMS },
  { about: "a variable under another index", method: "POST", path: `${VARIABLE}?cas=999999`, body: ITEMS },
  { about: "the variables", method: "GET", path: "/v1/vars?prefix=recorded" },
  { about: "a variable without items", method: "POST", path: VARIABLE, body: {} },
  { about: "a variable with an index that is none", method: "POST", path: `${VARIABLE}?cas=x`, body: ITEMS },
  { about: "a variable at a path that is none", method: "POST", path: "/v1/var/a.b", body: ITEMS },
  { about: "a variable at a reserved path", method: "POST", path: "/v1/var/nomad", body: ITEMS },
  { about: "a variable below a reserved path", method: "POST", path: "/v1/var/nomad/web", body: ITEMS },
  {
    about: "a variable with a lock",
    method: "POST",
    path: VARIABLE,
    body: { ...ITEMS, Lock: { TTL: "20s" } },
  },
  { about: "a variable, deleted under another index", method: "DELETE", path: `${VARIABLE}?cas=999999` },
  { about: "a variable, deleted", method: "DELETE", path: `${VARIABLE}?cas={variable}` },
  { about: "a variable that is not there, deleted", method: "DELETE", path: VARIABLE },
  {
    about: "a variable, locked",
    method: "POST",
    path: `${VARIABLE}?lock-acquire`,
    body: { Lock: { TTL: "20s" } },
    keep: { lock: ["Lock", "ID"] },
  },
  { about: "a locked variable, written", method: "POST", path: VARIABLE, body: ITEMS },
  { about: "a locked variable, deleted", method: "DELETE", path: VARIABLE },
  {
    about: "a variable, unlocked",
    method: "POST",
    path: `${VARIABLE}?lock-release`,
    body: { Lock: { ID: "{lock}" } },
  },
  { about: "a variable that was locked, deleted", method: "DELETE", path: VARIABLE },
];

const POOL = "/v1/node/pool/recorded";
const nodePools: readonly Exchange[] = [
  { about: "a node pool that is not there", method: "GET", path: POOL },
  { about: "a node pool, without a token", method: "GET", path: POOL, as: "nobody" },
  { about: "the node pools, without a token", method: "GET", path: "/v1/node/pools", as: "nobody" },
  {
    about: "a node pool, written",
    method: "POST",
    path: POOL,
    body: { Name: "recorded", Description: "recorded", Meta: { rack: "9" }, NodeIdentityTTL: "1h30m" },
  },
  { about: "a node pool", method: "GET", path: POOL },
  { about: "a node pool, replaced", method: "POST", path: POOL, body: { Name: "recorded" } },
  { about: "the node pools", method: "GET", path: "/v1/node/pools" },
  { about: "a node pool of another name", method: "POST", path: POOL, body: { Name: "other" } },
  {
    about: "a node pool without a valid name",
    method: "POST",
    path: "/v1/node/pools",
    body: { Name: "a b" },
  },
  {
    about: "a node pool with a TTL that is none",
    method: "POST",
    path: POOL,
    body: { Name: "recorded", NodeIdentityTTL: "x" },
  },
  {
    about: "a node pool with settings of the scheduler",
    method: "POST",
    path: POOL,
    body: { Name: "recorded", SchedulerConfiguration: { SchedulerAlgorithm: "spread" } },
  },
  {
    about: "the default node pool, written",
    method: "POST",
    path: "/v1/node/pool/default",
    body: { Name: "default" },
  },
  { about: "the node pool of all nodes, deleted", method: "DELETE", path: "/v1/node/pool/all" },
  { about: "a node pool, deleted", method: "DELETE", path: POOL },
  { about: "a node pool that is not there, deleted", method: "DELETE", path: POOL },
];

const POLICY = "/v1/acl/policy/recorded";
const RULES = 'namespace "default" { policy = "read" }';
const aclPolicies: readonly Exchange[] = [
  { about: "an ACL policy that is not there", method: "GET", path: POLICY },
  { about: "an ACL policy, without a token", method: "GET", path: POLICY, as: "nobody" },
  {
    about: "an ACL policy, written",
    method: "POST",
    path: POLICY,
    body: { Name: "recorded", Rules: RULES, JobACL: { Namespace: "default", JobID: "web" } },
  },
  { about: "an ACL policy", method: "GET", path: POLICY },
  {
    about: "an ACL policy, replaced",
    method: "POST",
    path: POLICY,
    body: { Name: "recorded", Rules: RULES },
  },
  { about: "the ACL policies", method: "GET", path: "/v1/acl/policies" },
  {
    about: "an ACL policy of another name",
    method: "POST",
    path: POLICY,
    body: { Name: "other", Rules: RULES },
  },
  {
    about: "an ACL policy without valid rules",
    method: "POST",
    path: POLICY,
    body: { Name: "recorded", Rules: "{}" },
  },
  {
    about: "an ACL policy with a job of no namespace",
    method: "POST",
    path: POLICY,
    body: { Name: "recorded", Rules: RULES, JobACL: { JobID: "web" } },
  },
  { about: "an ACL policy, deleted", method: "DELETE", path: POLICY },
  { about: "an ACL policy that is not there, deleted", method: "DELETE", path: POLICY },
];

const ROLE = "/v1/acl/role";
const aclRoles: readonly Exchange[] = [
  {
    about: "a role's policy, written",
    method: "POST",
    path: POLICY,
    body: { Name: "recorded", Rules: RULES },
  },
  { about: "an ACL role by a name that is none", method: "GET", path: `${ROLE}/name/recorded` },
  { about: "an ACL role without policies", method: "POST", path: ROLE, body: { Name: "recorded" } },
  {
    about: "an ACL role with a policy that is none",
    method: "POST",
    path: ROLE,
    body: { Name: "recorded", Policies: [{ Name: "none" }] },
  },
  {
    about: "an ACL role, created",
    method: "POST",
    path: ROLE,
    body: { Name: "recorded", Policies: [{ Name: "recorded" }] },
    keep: { role: ["ID"] },
  },
  {
    about: "an ACL role that is there, created",
    method: "POST",
    path: ROLE,
    body: { Name: "recorded", Policies: [{ Name: "recorded" }] },
  },
  { about: "an ACL role", method: "GET", path: `${ROLE}/{role}` },
  { about: "an ACL role by its name", method: "GET", path: `${ROLE}/name/recorded` },
  { about: "the ACL roles", method: "GET", path: "/v1/acl/roles" },
  {
    about: "an ACL role, replaced",
    method: "POST",
    path: `${ROLE}/{role}`,
    body: { ID: "{role}", Name: "recorded", Description: "again", Policies: [{ Name: "recorded" }] },
  },
  { about: "an ACL role, deleted", method: "DELETE", path: `${ROLE}/{role}` },
  { about: "an ACL role that is not there", method: "GET", path: `${ROLE}/{role}` },
  { about: "an ACL role that is not there, deleted", method: "DELETE", path: `${ROLE}/{role}` },
  { about: "a role's policy, deleted", method: "DELETE", path: POLICY },
];

/** An ID that no object has. */
const NO_ID = "11111111-2222-3333-4444-555555555555";

const VOLUME = "/v1/volume/host";
const DATA = {
  Name: "recorded",
  PluginID: "mkdir",
  RequestedCapabilities: [{ AccessMode: "single-node-writer", AttachmentMode: "file-system" }],
};
const volumes: readonly Exchange[] = [
  { about: "a host volume that is not there", method: "GET", path: `${VOLUME}/${NO_ID}` },
  { about: "no host volume, created", method: "PUT", path: `${VOLUME}/create`, body: {} },
  {
    about: "a host volume that is not valid",
    method: "PUT",
    path: `${VOLUME}/create`,
    body: { Volume: { RequestedCapacityMinBytes: 10, RequestedCapacityMaxBytes: 1 } },
  },
  {
    about: "a host volume in a namespace that is not there",
    method: "PUT",
    path: `${VOLUME}/create`,
    body: { Volume: { ...DATA, Namespace: "none" } },
  },
  {
    about: "a host volume on a node that is not there",
    method: "PUT",
    path: `${VOLUME}/create`,
    body: { Volume: { ...DATA, NodeID: NO_ID } },
  },
  {
    about: "a host volume that is not there, changed",
    method: "PUT",
    path: `${VOLUME}/create`,
    body: { Volume: { ...DATA, ID: NO_ID } },
  },
  {
    about: "a host volume with a parameter that its plugin does not have",
    method: "PUT",
    path: `${VOLUME}/create`,
    body: { Volume: { ...DATA, Name: "unknown", Parameters: { size: "1" } } },
  },
  {
    about: "a host volume, created",
    method: "PUT",
    path: `${VOLUME}/create`,
    body: { Volume: DATA },
    keep: { volume: ["Volume", "ID"], node: ["Volume", "NodeID"] },
  },
  {
    about: "a host volume of a name that its node has",
    method: "PUT",
    path: `${VOLUME}/create`,
    body: { Volume: { ...DATA, NodeID: "{node}" } },
  },
  { about: "a host volume", method: "GET", path: `${VOLUME}/{volume}` },
  { about: "the host volumes", method: "GET", path: "/v1/volumes?type=host&prefix=recorded" },
  { about: "volumes of no type", method: "GET", path: "/v1/volumes" },
  {
    about: "a host volume, changed",
    method: "PUT",
    path: `${VOLUME}/create`,
    body: {
      Volume: { ...DATA, ID: "{volume}", RequestedCapacityMaxBytes: 1000, Parameters: { mode: "0755" } },
    },
  },
  { about: "a host volume that was changed", method: "GET", path: `${VOLUME}/{volume}` },
  {
    about: "a host volume, moved",
    method: "PUT",
    path: `${VOLUME}/create`,
    body: { Volume: { ...DATA, ID: "{volume}", NodeID: NO_ID } },
  },
  {
    about: "a host volume without a node, registered",
    method: "PUT",
    path: `${VOLUME}/register`,
    body: { Volume: { Name: "registered" } },
  },
  {
    about: "a host volume, registered",
    method: "PUT",
    path: `${VOLUME}/register`,
    body: { Volume: { Name: "registered", NodeID: "{node}", HostPath: "/tmp", CapacityBytes: 5 } },
    keep: { registered: ["Volume", "ID"] },
  },
  {
    about: "a host volume of a name that its node has, registered",
    method: "PUT",
    path: `${VOLUME}/register`,
    body: { Volume: { Name: "registered", NodeID: "{node}", HostPath: "/tmp" } },
  },
  {
    about: "a registered host volume, changed",
    method: "PUT",
    path: `${VOLUME}/register`,
    body: { Volume: { ID: "{registered}", Name: "registered", NodeID: "{node}", HostPath: "/var" } },
  },
  { about: "a registered host volume", method: "GET", path: `${VOLUME}/{registered}` },
  { about: "a registered host volume, deleted", method: "DELETE", path: `${VOLUME}/{registered}/delete` },
  { about: "a host volume, deleted", method: "DELETE", path: `${VOLUME}/{volume}/delete` },
  { about: "a host volume that is not there, deleted", method: "DELETE", path: `${VOLUME}/{volume}/delete` },
];

/** The requests to Nomad. The jobs name a datacenter without nodes, so that they never run. */
export const nomad: readonly Exchange[] = [
  { about: "a job, without a token", method: "GET", path: AT, as: "nobody" },
  { about: "a job, with a token that does not exist", method: "GET", path: AT, as: "stranger" },
  { about: "a job that is not there", method: "GET", path: AT },
  { about: "no jobs", method: "GET", path: "/v1/jobs" },
  { about: "a path that is none", method: "GET", path: "/v1/nothing" },
  { about: "a register that is no JSON", method: "POST", path: "/v1/jobs", text: "{" },
  { about: "a register without a job", method: "POST", path: "/v1/jobs", body: {} },
  {
    about: "a job without groups",
    method: "POST",
    path: "/v1/jobs",
    body: { Job: { ...JOB, TaskGroups: [] } },
  },
  {
    about: "a job whose ID has a space",
    method: "POST",
    path: "/v1/jobs",
    body: { Job: { ...JOB, ID: `a ${JOB.ID}` } },
  },
  {
    about: "a number that no machine holds",
    method: "POST",
    path: "/v1/jobs",
    text: `{"Job":{"ID":"${JOB.ID}","Priority":1e1000}}`,
  },
  {
    about: "an update of a job that is not there",
    method: "POST",
    path: "/v1/jobs",
    body: { Job: JOB, EnforceIndex: true, JobModifyIndex: 7 },
  },
  planOf("a new job", JOB),
  planOf("a new job, without a token", JOB, { as: "nobody" }),
  planOf("another job than its path names", { ...JOB, ID: "other" }),
  planOf("a job without groups", { ...JOB, TaskGroups: [] }),
  { about: "a plan of nothing", method: "POST", path: `${AT}/plan`, body: { Diff: true } },
  {
    about: "a job, registered",
    method: "POST",
    path: "/v1/jobs",
    body: { Job: JOB, EnforceIndex: true, JobModifyIndex: 0 },
    keep: { index: ["JobModifyIndex"], evaluation: ["EvalID"] },
  },
  { about: "a job", method: "GET", path: AT },
  {
    about: "a job that is there, created",
    method: "POST",
    path: "/v1/jobs",
    body: { Job: JOB, EnforceIndex: true, JobModifyIndex: 0 },
  },
  {
    about: "a job under another index",
    method: "POST",
    path: "/v1/jobs",
    body: { Job: JOB, EnforceIndex: true, JobModifyIndex: 999999 },
  },
  planOf("a job as it is", JOB),
  planOf("another count", { ...JOB, TaskGroups: [{ ...front, Count: 3 }] }),
  planOf("another priority", { ...JOB, Priority: 70 }),
  planOf("a group more", { ...JOB, TaskGroups: [...JOB.TaskGroups, { ...front, Name: "back" }] }),
  { about: "a job, registered as it is", method: "POST", path: "/v1/jobs", body: { Job: JOB } },
  { about: "the jobs", method: "GET", path: "/v1/jobs" },
  { about: "the jobs by a filter that is none", method: "GET", path: "/v1/jobs?filter=%28" },
  { about: "a job's versions", method: "GET", path: `${AT}/versions` },
  { about: "the versions of nothing", method: "GET", path: "/v1/job/none/versions" },
  { about: "a job's submission that was not kept", method: "GET", path: `${AT}/submission?version=0` },
  { about: "a submission of no version", method: "GET", path: `${AT}/submission` },
  { about: "a job's summary", method: "GET", path: `${AT}/summary` },
  { about: "the summary of nothing", method: "GET", path: "/v1/job/none/summary" },
  { about: "the allocations of a job that nowhere fits", method: "GET", path: `${AT}/allocations` },
  { about: "the deployments of nothing", method: "GET", path: "/v1/job/none/deployments" },
  { about: "the latest deployment of nothing", method: "GET", path: "/v1/job/none/deployment" },
  { about: "a job's counts", method: "GET", path: `${AT}/scale` },
  // After the evaluation creates a deployment, the job cannot be scaled.
  { about: "the latest deployment of a job", method: "GET", path: `${AT}/deployment`, until: "ID" },
  {
    about: "a job, scaled",
    method: "POST",
    path: `${AT}/scale`,
    body: { Count: 2, Target: { Group: "front" } },
  },
  {
    about: "a group that is not there, scaled",
    method: "POST",
    path: `${AT}/scale`,
    body: { Count: 2, Target: { Group: "none" } },
  },
  {
    about: "nothing, scaled",
    method: "POST",
    path: "/v1/job/none/scale",
    body: { Count: 2, Target: { Group: "front" } },
  },
  {
    about: "text, parsed",
    method: "POST",
    path: "/v1/jobs/parse",
    body: { JobHCL: HCL, Canonicalize: false },
  },
  {
    about: "text that cannot be read",
    method: "POST",
    path: "/v1/jobs/parse",
    body: { JobHCL: 'job "x" {', Canonicalize: false },
  },
  { about: "no text, parsed", method: "POST", path: "/v1/jobs/parse", body: {} },
  {
    about: "an evaluation that is not there",
    method: "GET",
    path: "/v1/evaluation/11111111-2222-3333-4444-555555555555",
  },
  { about: "a job, stopped", method: "DELETE", path: AT },
  { about: "nothing, stopped", method: "DELETE", path: "/v1/job/none" },
  { about: "a job, purged", method: "DELETE", path: `${AT}?purge=true` },
  { about: "a job that was purged", method: "GET", path: AT },
  ...namespaces,
  ...variables,
  ...nodePools,
  ...aclPolicies,
  { about: "the regions", method: "GET", path: "/v1/regions", as: "nobody" },
  { about: "the client nodes, without a token", method: "GET", path: "/v1/nodes", as: "nobody" },
  ...aclRoles,
  ...volumes,
];
