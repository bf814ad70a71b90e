import { nodeOf } from "../../testing/stub/services/scheduler/nodes";
import type { Members, Requirements, Siblings, Values } from "./bodies";
import { type Leaf, pathIn } from "./leaves";

/** The first node of the mock server. */
const NODE = nodeOf(1).ID;

/** What Nomad requires of an object that contains a field. */
const siblings: Siblings = [
  [/:Job >/, { ID: "web" }],
  [
    /:Job >(?!TaskGroups)/,
    { TaskGroups: [{ Name: "front", Tasks: [{ Name: "server", Driver: "docker" }] }] },
  ],
  [/:Job >(Periodic|ParameterizedJob|Reschedule)/, { Type: "batch" }],
  [/:Job TaskGroups>/, { Name: "front" }],
  [/:Job TaskGroups>(?!Tasks)/, { Tasks: [{ Name: "server", Driver: "docker" }] }],
  [
    /:Job TaskGroups>Tasks.VolumeMounts/,
    { Volumes: { data: { Name: "data", Type: "host", Source: "data" } } },
  ],
  [/:Job TaskGroups.Tasks>/, { Name: "server", Driver: "docker" }],
  [/(Constraints)>/, { LTarget: "kernel", RTarget: "linux", Operand: "=" }],
  [/(Affinities)>/, { LTarget: "kernel", RTarget: "linux", Operand: "=" }],
  [/Spreads>/, { Attribute: "datacenter" }],
  [/Periodic>(?!Specs)/, { Spec: "@daily" }],
  [/Update>AutoPromote/, { Canary: 1 }],
  [/Scaling>/, { Min: 1, Max: 10 }],
  [/Templates>(?!SourcePath)/, { EmbeddedTmpl: "x" }],
  [/Templates>/, { DestPath: "local/x" }],
  [/Templates>ChangeScript/, { ChangeMode: "script" }],
  [/ChangeScript>/, { Command: "/reload" }],
  [/Templates>ChangeSignal/, { ChangeMode: "signal" }],
  [/Artifacts>/, { GetterSource: "https://example.com/x" }],
  [/:Job TaskGroups>Tasks\.Lifecycle/, { Tasks: [{}, { Name: "main", Driver: "docker" }] }],
  [/Lifecycle>/, { Hook: "poststart" }],
  [/Services>CheckRestart/, { Checks: [{ Name: "alive" }] }],
  [/:Job TaskGroups>EphemeralDisk\.SizeMB/, { Tasks: [{ LogConfig: { MaxFiles: 1, MaxFileSizeMB: 5 } }] }],
  [/:Job TaskGroups>RestartPolicy\.Interval/, { RestartPolicy: { Attempts: 1, Delay: 1 } }],
  [/Tasks.Secrets>/, { Name: "db", Provider: "kv", Path: "kv/db" }],
  [/Tasks.Secrets>Config/, { Provider: "vault" }],
  [/Tasks>Secrets.Config/, { Vault: {} }],
  [/LogConfig>MaxFileSizeMB/, { MaxFiles: 1 }],
  [/Tasks.VolumeMounts>/, { Volume: "data" }],
  [/:Namespace >/, { Name: "team" }],
  [/:Variable >/, { Path: "apps/web", Items: { level: "info" } }],
  [/:NodePool >/, { Name: "gpu" }],
  [/:AclPolicy >/, { Name: "app", Rules: 'namespace "default" {}' }],
  [/:AclRole >/, { Name: "app", Policies: [{ Name: "the-policy" }] }],
  [/:AclToken >/, { Name: "ci", Type: "client", Policies: ["the-policy"] }],
  [/:AclPolicy JobACL>/, { Namespace: "default", JobID: "web", Group: "front" }],
  [/:HostVolume >/, { Name: "data", PluginID: "mkdir" }],
  [/:HostVolume >RequestedCapacityMin/, { RequestedCapacityMaxBytes: 42 }],
  [/:HostVolumeRegistration >/, { Name: "data", NodeID: NODE, HostPath: "/data" }],
  [/RequestedCapabilities>/, { AttachmentMode: "file-system", AccessMode: "single-node-writer" }],
];

const MINUTE = 60_000_000_000;

const values: Values = [
  [/:Job Type$/, "batch"],
  [
    /( Version|SubmitTime|CreateIndex|ModifyIndex|EvalPriority|CapacityBytes|MaxBytes|CreateTime|ModifyTime)$/,
    42,
  ],
  [
    /(Dispatched|Stable|EnforceIndex|PolicyOverride|PreserveCounts|PreserveResources|LogConfig.Enabled)$/,
    true,
  ],
  [/ Submission$/, { Source: "{}", Format: "json" }],
  [/ VersionTag$/, { Name: "own", Description: "", TaggedTime: 42 }],
  [/:AclToken Type$/, "client"],
  [/:AclToken ExpirationTTL$/, "1m0s"],
  [/:AclPolicy Rules$/, 'namespace "own" {}'],
  [/:AclPolicy JobACL.Namespace$/, "own"],
  [/AttachmentMode$/, "block-device"],
  [/AccessMode$/, "single-node-reader-only"],
  [/:HostVolume\w* NodeID$/, NODE],
  [/:HostVolume\w* NodePool$/, "default"],
  [/:HostVolume\w* PluginID$/, "mkdir"],
  [/SpecType$/, "cron"],
  [/SizeMB$/, 50],
  [/RestartPolicy.Interval$/, MINUTE],
  [/TLSM\w+Version$/, "TLSv1_2"],
  [/:HostVolume\w* Constraints$/, [{ LTarget: "a", RTarget: "b", Operand: "=" }]],
  [/RestartPolicy.Mode$/, "delay"],
  [/Hook$/, "poststop"],
  [/Resources.MemoryMB$/, 42],
  [/Resources.MemoryMaxMB$/, 420],
  [/ChangeSignal$/, "SIGUSR1"],
  [/VolumeMounts.Volume$/, "data"],
  [/ExposeConfig$/, { Paths: [{ Path: "/own" }] }],
  [/Expose.Path$/, [{ Path: "/own" }]],
  [/(Constraints|Affinities).Operand$/, "!="],
  [/Periodic.Specs?$/, "@hourly"],
  [/Periodic.TimeZone$/, "Europe/Berlin"],
  [/Update.HealthCheck$/, "manual"],
  [/(HealthyDeadline)$/, 7 * MINUTE],
  [/(ProgressDeadline)$/, 20 * MINUTE],
  [/(MinHealthyTime|Timeout)$/, MINUTE],
  [/ChangeMode$/, "noop"],
  [/ParameterizedJob.Payload$/, "required"],
];

const leaves: Requirements["leaves"] = {
  "scheduler:Job": [
    ...inServices({ Connect: { Gateway: { Mesh: {} } } }),
    ...inServices({
      Connect: { Gateway: { Proxy: { EnvoyGatewayBindAddresses: { entry: { Name: "own" } } } } },
    }),
  ],
  "scheduler:HostVolume": [{ path: "Parameters", body: { Parameters: { mode: "0700" } } }],
  "scheduler:AclRole": [{ path: "Policies.Name", body: { Policies: [{ Name: "the-policy" }] } }],
  "scheduler:AclToken": [
    { path: "Roles.ID", body: { Roles: [{ ID: "the role" }] } },
    { path: "Roles.Name", body: { Roles: [{ Name: "the-role" }] } },
  ],
};

/** A leaf in a service of a group, and in one of a task. */
function inServices(service: Members): Leaf[] {
  const Services = [service];
  return [{ TaskGroups: [{ Services }] }, { TaskGroups: [{ Tasks: [{ Services }] }] }].map((body) => ({
    path: pathIn(body),
    body,
  }));
}

export const requirements: Requirements = { siblings, values, leaves };
