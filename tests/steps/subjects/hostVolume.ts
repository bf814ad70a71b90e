import fc from "fast-check";
import type { Json } from "../../../provider/core/value/json";
import hostVolume from "../../../provider/services/scheduler/hostVolume";
import hostVolumeRegistration from "../../../provider/services/scheduler/hostVolumeRegistration";
import type { Edit, Subject } from "../subject";
import type { World } from "../world";
import { defined, maybe } from "./arbitraries";
import { put, read, schedulerWorld, take } from "./schedulerScene";

/** The ID of a node of the mock server. */
const NODE = "00000000-0000-0000-0000-000000000002";

const capabilities = fc.constantFrom<Json>(
  [{ accessMode: "single-node-writer", attachmentMode: "file-system" }],
  [
    { accessMode: "single-node-reader-only", attachmentMode: "file-system" },
    { accessMode: "single-node-single-writer", attachmentMode: "block-device" },
  ],
);
const parameters = fc.constantFrom<Json>({ mode: "0755" }, { uid: "1000", gid: "1000" });
const capacities = fc.constantFrom(0, 1_000_000, 50_000_000);
const largest = fc.constantFrom(50_000_000, 90_000_000);

const wire: Readonly<Record<string, string>> = {
  capabilities: "RequestedCapabilities",
  parameters: "Parameters",
  capacityMinBytes: "RequestedCapacityMinBytes",
  capacityMaxBytes: "RequestedCapacityMaxBytes",
  hostPath: "HostPath",
  capacityBytes: "CapacityBytes",
};

/** The dynamic host volume `data`. */
export const hostVolumeSubject: Subject = {
  definition: hostVolume,
  world: () => schedulerWorld(hostVolume),
  programs: fc
    .record({
      name: fc.constant("data"),
      pluginId: fc.constant("mkdir"),
      nodeId: fc.constant(NODE),
      capabilities,
      parameters: maybe(parameters),
      capacityMinBytes: maybe(capacities),
      capacityMaxBytes: largest,
    })
    .map(defined),
  edits: fc.oneof(
    fc.record({ property: fc.constant("capabilities"), value: capabilities }),
    fc.record({ property: fc.constant("parameters"), value: parameters }),
    fc.record({ property: fc.constant("capacityMinBytes"), value: capacities }),
    fc.record({ property: fc.constant("capacityMaxBytes"), value: largest }),
  ),
  edit: (world, _resource, edit) => editVolume(world, "create", edit),
  takeAway: async (world) => take(world, await volumePath(world)),
  createTakes: () => ["GET", "PUT", "GET"],
};

const paths = fc.constantFrom("/srv/data", "/srv/other");
const sizes = fc.constantFrom(0, 1_000_000);

/** The registration of the host volume `data`. */
export const hostVolumeRegistrationSubject: Subject = {
  definition: hostVolumeRegistration,
  world: () => schedulerWorld(hostVolumeRegistration),
  programs: fc
    .record({
      name: fc.constant("data"),
      nodeId: fc.constant(NODE),
      hostPath: paths,
      capabilities,
      parameters: maybe(parameters),
      capacityBytes: maybe(sizes),
    })
    .map(defined),
  edits: fc.oneof(
    fc.record({ property: fc.constant("capabilities"), value: capabilities }),
    fc.record({ property: fc.constant("parameters"), value: parameters }),
    fc.record({ property: fc.constant("hostPath"), value: paths }),
    fc.record({ property: fc.constant("capacityBytes"), value: sizes }),
  ),
  edit: (world, _resource, edit) => editVolume(world, "register", edit),
  takeAway: async (world) => take(world, await volumePath(world)),
  createTakes: () => ["GET", "PUT", "GET"],
};

/** Changes one property as another user, with the request that writes such volumes. */
async function editVolume(world: World, by: "create" | "register", { property, value }: Edit): Promise<void> {
  const volume = await read(world, await volumePath(world));
  const Volume = { ...volume, [wire[property] ?? property]: sent(property, value) };
  await put(world, `/v1/volume/host/${by}`, { Volume });
}

const sent = (property: string, value: Json): Json =>
  property === "capabilities" && Array.isArray(value)
    ? (value as { accessMode: string; attachmentMode: string }[]).map(({ accessMode, attachmentMode }) => ({
        AccessMode: accessMode,
        AttachmentMode: attachmentMode,
      }))
    : value;

/** The path of the volume, by its ID. */
async function volumePath(world: World): Promise<string> {
  const [volume] = (await read(world, "/v1/volumes?type=host")) as unknown as readonly { ID: string }[];
  return `/v1/volume/host/${volume?.ID}`;
}
