import { formatJson, type Json, parseJson } from "../../provider/core/value/json";
import { SchedulerService } from "../../testing/stub/services/scheduler/service";
import { send } from "../../testing/tests/stub/in-process";
import { type Members, without } from "./bodies";
import type { Product, Writer } from "./cases";
import { requirements } from "./schedulerBodies";

/** Members of the request around a job. */
const OF_REGISTRATION = [
  "Submission",
  "EnforceIndex",
  "PolicyOverride",
  "PreserveCounts",
  "PreserveResources",
  "EvalPriority",
];

async function open(token: string): Promise<Writer> {
  const service = new SchedulerService({
    seed: {
      tokens: { manager: { management: true } },
      regions: ["own"],
      namespaces: ["own"],
      nodePools: ["own"],
    },
    switches: { dialect: "real", enterprise: true },
    random: () => 0.5,
  });
  const request = (method: string, path: string, body?: Json) =>
    send(service, method, `/v1${path}`, { headers: { "x-nomad-token": "manager" }, body });
  await request("PUT", "/acl/policy/the-policy", { Name: "the-policy", Rules: "" });
  const role = await request("PUT", "/acl/role", { Name: "the-role", Policies: [{ Name: "the-policy" }] });
  return async (body) => {
    const [sent, at] = requestOf(token, body);
    const named = parseJson(formatJson(sent).replaceAll("the role", role.body.ID));
    const written = await request("PUT", at, named);
    const { Volume = written.body } = Object(written.body);
    const { ID = "", AccessorID = "" } = Object(Volume);
    const place = PLACED.test(token)
      ? `?namespace=${body.Namespace ?? ""}&region=${token === "scheduler:Job" ? (body.Region ?? "") : ""}`
      : "";
    const path = READ[token]?.(body, ID || AccessorID) ?? at;
    const { status, text } = written.status === 200 ? await request("GET", path + place) : written;
    if (status !== 200) return { rejection: `${status} ${text}` };
    const read = parseJson(text.replaceAll(role.body.ID, "the role"));
    return { read: without(read, "Hash"), dump: "" };
  };
}

/** The objects in a namespace or a region. */
const PLACED = /:(Job|Variable|HostVolume\w*)$/;

/** The body and the path of a write. */
function requestOf(token: string, body: Members): readonly [Json, string] {
  switch (token) {
    case "scheduler:Job": {
      const isAround = (name: string) => OF_REGISTRATION.includes(name);
      const part = (isIn: (name: string) => boolean) =>
        Object.fromEntries(Object.entries(body).filter(([name]) => isIn(name)));
      return [{ Job: part((name) => !isAround(name)), ...part(isAround) }, "/jobs"];
    }
    case "scheduler:HostVolume":
      return [{ Volume: body }, "/volume/host/create"];
    case "scheduler:HostVolumeRegistration":
      return [{ Volume: body }, "/volume/host/register"];
    case "scheduler:Namespace":
      return [body, "/namespace"];
    case "scheduler:NodePool":
      return [body, "/node/pools"];
    case "scheduler:Variable":
      return [body, `/var/${body.Path}`];
    case "scheduler:AclPolicy":
      return [body, `/acl/policy/${body.Name}`];
    default:
      return [body, token === "scheduler:AclRole" ? "/acl/role" : "/acl/token"];
  }
}

/** The path of a read, if it is not that of the write. */
const READ: Readonly<Record<string, (body: Members, id: string) => string>> = {
  "scheduler:Job": ({ ID }) => `/job/${ID}`,
  "scheduler:HostVolume": (_, id) => `/volume/host/${id}`,
  "scheduler:HostVolumeRegistration": (_, id) => `/volume/host/${id}`,
  "scheduler:Namespace": ({ Name }) => `/namespace/${Name}`,
  "scheduler:NodePool": ({ Name }) => `/node/pool/${Name}`,
  "scheduler:AclRole": (_, id) => `/acl/role/${id}`,
  "scheduler:AclToken": (_, id) => `/acl/token/${id}`,
};

/** Nomad's mock server. */
export const scheduler: Product = {
  service: "scheduler",
  ...requirements,
  returned: [
    // The server moves these to the groups, the tasks and the checks.
    [/:Job (Update\.(?!Stagger|MaxParallel)\w+|Migrate\.\w+)$/, { at: "TaskGroups.$1" }],
    [/:Job Reschedule\.(\w+)$/, { at: "TaskGroups.ReschedulePolicy.$1" }],
    [/ TaskGroups\.Services\.CheckRestart\.(\w+)$/, { at: "TaskGroups.Services.Checks.CheckRestart.$1" }],
    [/Tasks\.Services\.CheckRestart\.(\w+)$/, { at: "TaskGroups.Tasks.Services.Checks.CheckRestart.$1" }],
  ],
  unread: [],
  hasElsewhere: true,
  dropped: [
    // Nomad 2 does not store these.
    /:Job (ConsulToken|VaultToken|ConsulNamespace)$/,
    /(StopAfterClientDisconnect|MaxClientDisconnect|PreventRescheduleOnLost)$/,
    /Vault.Policies$/,
    // The server sets these.
    /(Scaling|ScalingPolicies).Target$/,
    /Tasks.Services.TaskName$/,
    // Only the parser returns it.
    /Checks.Advertise$/,
    // The key of an address is its name.
    /EnvoyGatewayBindAddresses.Name$/,
  ],
  treatments: [
    [/:Acl(Role ID|Token AccessorID)$/, "rejected"],
    [/:Variable Lock$/, "rejected"],
    [/:HostVolume\w* ID$/, "rejected"],
    // The server stores the tag of a registered version.
    [/:Job VersionTag$/, "stored"],
    [/ (.*Proxy)\.ExposeConfig$/, "changes $1.Expose"],
    [/ (.*Expose)\.Path$/, "changes $1.Paths.Path"],
    [/:HostVolumeRegistration (PluginID|Constraints|RequestedCapacityMaxBytes)$/, "stored"],
    // The maximum is smaller.
    [/:HostVolumeRegistration RequestedCapacityMinBytes$/, "rejected"],
  ],
  open,
  // Nomad's JSON decoder ignores unknown names.
  unknown: () => "ignored",
  unknownValue: "unknown",
  further: [],
};
