import { invalid, notFound, serverError } from "./errors";
import { claimsOf, inUse } from "./host-volume-claims";
import { placed, pluginError, type SentVolume, volumeErrors } from "./host-volume-rules";
import { page } from "./listing";
import { type HostVolume, volumeShape } from "./objects";
import { type Endpoint, type Operation, type Outcome, queryFlag, readBody, requireAny } from "./operation";
import type { Capability } from "./settings";
import { struct } from "./shape/field";
import { errorsText } from "./validation/errors";
import { keyOf } from "./world";

const section = "API: volumes";

/** `/v1/volumes?type=host` and `/v1/volume/host`, from Nomad's API documentation and the source of Nomad 2.0.5. */
export const hostVolumeEndpoints: readonly Endpoint[] = [
  { method: "GET", path: "/volumes", section, handle: listVolumes },
  { method: "GET", path: "/volume/host/:id", section, handle: readVolume },
  ...(["POST", "PUT"] as const).flatMap((method): readonly Endpoint[] => [
    { method, path: "/volume/host/create", section, handle: createVolume },
    { method, path: "/volume/host/register", section, handle: registerVolume },
  ]),
  { method: "DELETE", path: "/volume/host/:id", section, handle: deleteVolume },
  { method: "DELETE", path: "/volume/host/:id/delete", section, handle: deleteVolume },
];

/** The members that a list shows. */
const stubOf = ({ RequestedCapabilities: _, Parameters: __, Constraints: ___, ...volume }: HostVolume) => {
  const {
    RequestedCapacityMinBytes: ____,
    RequestedCapacityMaxBytes: _____,
    HostPath: ______,
    ...stub
  } = volume;
  return stub;
};

function listVolumes(operation: Operation): Outcome {
  const { world, request, namespace } = operation;
  const type = request.query.get("type");
  if (type !== "host") {
    if (type !== null && type !== "csi") throw notFound("resource not found");
    return { body: [], index: 1 };
  }
  requireAny(operation, ["host-volume-read"]);
  const prefix = request.query.get("prefix") ?? "";
  const [node, pool] = [request.query.get("node_id") ?? "", request.query.get("node_pool") ?? ""];
  const records = [...world.volumes.values()]
    .filter(({ Name, ID }) => Name.startsWith(prefix) || ID.startsWith(prefix))
    .filter(({ NodeID, NodePool }) => (node || NodeID) === NodeID && (pool || NodePool) === NodePool)
    .filter((volume) => namespace === "*" || volume.Namespace === namespace)
    .map((volume) => ({ namespace: volume.Namespace, key: volume.ID, item: stubOf(volume) }));
  const { items, nextToken } = page(operation, records, undefined);
  return { body: items, nextToken, index: world.indexOf("host_volumes") };
}

/** A volume as a response shows it: without empty lists and maps that Nomad leaves out. */
function shown({ Constraints, Parameters, ...volume }: HostVolume) {
  return { ...volume, ...(Constraints && { Constraints }), ...(Parameters && { Parameters }) };
}

function readVolume(operation: Operation): Outcome {
  requireAny(operation, ["host-volume-read"]);
  const { world, namespace, request } = operation;
  const volume = world.volumes.get(keyOf(namespace, request.params.id ?? ""));
  if (volume === undefined) throw notFound("volume not found", world.indexOf("host_volumes"));
  const claims = claimsOf(world, volume);
  const Allocations = claims.map(({ ID, JobID, Namespace, DesiredStatus, ClientStatus }) => {
    return { ID, JobID, Namespace, DesiredStatus, ClientStatus };
  });
  return {
    body: { ...shown(volume), ...(claims.length > 0 && { Allocations }) },
    index: volume.ModifyIndex,
  };
}

const requestShape = struct({ Volume: volumeShape });

/** Creates a volume without an ID, or changes the volume with this ID. There is no check-and-set. */
function createVolume(operation: Operation): Outcome {
  const { given, before } = admit(operation, "host-volume-create");
  const { identifiers } = operation;
  const merged: SentVolume =
    before === undefined
      ? { ...given, ID: identifiers.fresh(), CapacityBytes: 0, HostPath: "" }
      : {
          ...given,
          PluginID: given.PluginID || before.PluginID,
          NodePool: given.NodePool || before.NodePool,
          NodeID: before.NodeID,
          Constraints: before.Constraints ?? [],
          CapacityBytes: before.CapacityBytes,
          HostPath: before.HostPath,
        };
  const { ID = "" } = merged;
  const node = placed(operation, { ...merged, PluginID: merged.PluginID || "default" }, before !== undefined);
  refuseTakenName(operation, merged, node, "Create");
  const problem = before === undefined ? pluginError(merged.Parameters) : undefined;
  if (problem !== undefined) throw serverError(`HostVolume.Create error: ${problem}`);
  const HostPath = merged.HostPath || `/var/lib/nomad/host_volumes/${ID}`;
  return store(operation, { ...merged, NodeID: node, NodePool: "default", HostPath }, before);
}

/** Registers an existing path as a volume without an ID, or changes the volume with this ID. There is no check-and-set. */
function registerVolume(operation: Operation): Outcome {
  const { given, before } = admit(operation, "host-volume-register");
  const merged: SentVolume =
    before === undefined
      ? { ...given, ID: operation.identifiers.fresh() }
      : {
          ...given,
          PluginID: given.PluginID || before.PluginID,
          NodeID: before.NodeID,
          Constraints: before.Constraints ?? [],
        };
  const node = placed(operation, { ...merged, Name: merged.ID ?? "" }, true);
  refuseTakenName(operation, merged, node, "Register");
  // The response to a new registration shows the node pool as sent.
  const shownPool = before?.NodePool ?? given.NodePool ?? "";
  return store(operation, { ...merged, NodePool: "default" }, before, shownPool);
}

/** Throws the node's error for a name that another of its volumes has. */
function refuseTakenName({ world }: Operation, { ID, Name }: SentVolume, node: string, step: string): void {
  for (const volume of world.volumes.values())
    if (volume.NodeID === node && volume.Name === Name && volume.ID !== ID)
      throw serverError(`HostVolume.${step} error: volume name already exists on this node`);
}

/** The volume of a request, and the existing volume with its ID, after the checks that every write passes. */
function admit(operation: Operation, capability: Capability) {
  const { world, namespace } = operation;
  const { Volume } = readBody(operation, "HostVolumeCreateRequest", requestShape);
  if (Volume === undefined) throw serverError("missing volume definition");
  const given: SentVolume = { ...Volume, Namespace: Volume.Namespace || namespace };
  requireAny(operation, [capability], given.Namespace);
  if (capability === "host-volume-register") {
    if (!given.NodeID) throw serverError("cannot register volume: node ID is required");
    if (!given.HostPath) throw serverError("cannot register volume: host path is required");
  }
  const { ID = "", Namespace = "" } = given;
  const errors = volumeErrors(given);
  if (errors.length > 0) throw serverError(`volume validation failed: ${errorsText(errors)}`);
  if (!world.namespaces.has(Namespace))
    throw serverError(`volume validation failed: no such namespace "${Namespace}"`);
  const before = ID === "" ? undefined : world.volumes.get(keyOf(Namespace, ID));
  if (ID !== "" && before === undefined)
    throw serverError(`cannot update volume "${ID}": volume does not exist`);
  if (before === undefined) return { given, before };
  const claims = claimsOf(world, before).map((claim) => claim.ID);
  const problems = [
    ...(claims.length > 0 ? [`cannot update a volume in use: claimed by allocs (${claims.join(", ")})`] : []),
    ...((given.NodeID || before.NodeID) === before.NodeID ? [] : ["node ID cannot be updated"]),
    ...((given.NodePool || before.NodePool) === before.NodePool ? [] : ["node pool cannot be updated"]),
  ];
  if (problems.length > 0)
    throw serverError(`validating volume "${ID}" update failed: ${errorsText(problems)}`);
  return { given, before };
}

/** Stores a volume. The response shows it as pending, and it is pending until its node reports it. */
function store(
  operation: Operation,
  given: SentVolume,
  before: HostVolume | undefined,
  shownPool = "default",
): Outcome {
  const { world, switches, now } = operation;
  const index = world.write("host_volumes");
  const time = now * NANOSECONDS;
  const isNew = before === undefined;
  const RequestedCapabilities = given.RequestedCapabilities ?? (isNew ? [...DEFAULT_CAPABILITIES] : []);
  const volume: HostVolume = {
    ...volumeShape.fill({ ...given, RequestedCapabilities }),
    State: switches.volumeMilliseconds === 0 ? "ready" : "pending",
    CreateIndex: before?.CreateIndex ?? index,
    CreateTime: before?.CreateTime ?? time,
    ModifyIndex: index,
    ModifyTime: time,
  };
  const key = keyOf(volume.Namespace, volume.ID);
  world.volumes.set(key, volume);
  if (volume.State === "pending")
    world.due.push({ kind: "volume", at: now + switches.volumeMilliseconds, volume: key });
  // The response is the volume as it was sent to the store, which sets the indexes.
  const Volume = { ...shown(volume), NodePool: shownPool, State: "pending", CreateIndex: 0, ModifyIndex: 0 };
  return { body: { Volume, Warnings: "", Index: index }, index };
}

const NANOSECONDS = 1_000_000;
const DEFAULT_CAPABILITIES = [{ AttachmentMode: "file-system", AccessMode: "single-node-writer" }] as const;

function deleteVolume(operation: Operation): Outcome {
  queryFlag(operation.request, "force", () => invalid("invalid force value"));
  requireAny(operation, ["host-volume-delete"]);
  const { world, namespace, request } = operation;
  const id = request.params.id ?? "";
  const key = keyOf(namespace, id);
  const volume = world.volumes.get(key);
  if (volume === undefined) throw serverError(`no such volume: ${id}`);
  const claims = claimsOf(world, volume);
  if (claims.length > 0) throw inUse(volume, claims);
  world.volumes.delete(key);
  const index = world.write("host_volumes");
  return { body: { Index: index }, index };
}
