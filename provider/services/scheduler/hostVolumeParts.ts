import { z } from "zod";
import {
  checksByReadAndRejection,
  enumeration,
  field,
  get,
  type HttpResponse,
  isObject,
  type Observation,
  object,
  place,
  put,
  replaces,
  setting,
} from "../../core";
import { goneWith } from "./copied";
import { byNameAndNode, volumeListing } from "./hostVolumeSearch";
import { untilReady, volumeDeletion, volumeInUse } from "./hostVolumeUse";
import { inScope as query } from "./service";
import { documentOf } from "./unit";

const accessMode = enumeration({
  "single-node-reader-only": "Allocations may only read.",
  "single-node-writer": "Allocations may read and write.",
  "single-node-single-writer": "Allocations may read, and one of them may write.",
  "single-node-multi-writer": "Several allocations may read and write.",
});

const attachmentMode = enumeration({
  "file-system": "The volume is mounted as a directory.",
  "block-device": "The volume is a device that the task opens itself.",
});

const capability = z.strictObject({
  accessMode: field(accessMode, { doc: "How allocations may use the volume at the same time." }),
  attachmentMode: field(attachmentMode, { doc: "How allocations mount the volume." }),
});

/** The properties of every dynamic host volume. */
export const volumeFields = {
  name: field(z.string().min(1), {
    doc: "Name of the volume, which jobs use as the `source` of a volume. It is unique on its node.",
    toWrite: "A change replaces the volume: Nomad accepts a new name, but the node keeps the old name.",
    immutable: true,
  }),
  namespace: field(z.string().min(1).optional(), {
    doc: "Namespace whose jobs may mount the volume.",
    toWrite: "Default: the connection's, then `default`.",
    role: "identity",
    location: "address",
  }),
  region: field(z.string().min(1).optional(), {
    doc: "Region of the volume's node.",
    toWrite: "Default: the connection's, then the agent's.",
    location: "address",
  }),
  capabilities: documentOf(z.array(capability).min(1), {
    doc: "Ways in which allocations may mount the volume. An allocation needs one that fits its `accessMode` and `attachmentMode`.",
    wire: "RequestedCapabilities",
  }),
  parameters: field(z.record(z.string(), z.string()).optional(), {
    doc: "Parameters for the plugin, by the plugin's names. Managed as one unit.",
    empty: {},
  }),
  volumeId: field(z.string().optional(), {
    doc: "ID of the volume, which Nomad assigns.",
    role: "server's",
    wire: "ID",
  }),
} as const;

/** A number of bytes, 0 if it is left out. */
export const bytes = (doc: string, wire?: string) =>
  field(z.int().nonnegative().optional(), { doc, empty: 0, ...(wire !== undefined && { wire }) });

/** The volume in the response to a read, or to a write, which encloses it. */
const volumeIn = (body: Observation["body"]) => (isObject(body.Volume) ? body.Volume : body);

/** True if the node already has a volume with the name, in any namespace. */
const isNameTaken = ({ status, text }: HttpResponse) =>
  status === 500 && /volume name already exists on this node$/.test(text.trim());

export const volumePlace = place("[{region}@]{namespace=default}/{volumeId}", {
  defaults: { namespace: setting("namespace", { unset: "default" }), region: setting("region") },
  fromResponse: { volumeId: "ID", namespace: "Namespace" },
});

/**
 * The requests of a dynamic host volume. A create and an update are one request; an update contains the ID.
 * @param write the last part of the request's path
 */
export const volumeLife = (write: "create" | "register") =>
  object({
    reads: {
      one: get("/volume/host/{volumeId}", { query }),
      expects: { named: { volumeId: "ID", name: "Name" } },
      absence: goneWith("volume not found"),
      toObject: volumeIn,
      list: volumeListing,
    },
    writes: replaces({
      create: put(`/volume/host/${write}`, { query, expects: ["Volume"] }),
      completeBody: (body, { current }) => ({ ...body, ID: current?.ID ?? "" }),
      envelope: (body) => ({ Volume: body }),
      returns: "object",
      after: untilReady,
    }),
    creation: { existing: checksByReadAndRejection(isNameTaken, byNameAndNode) },
    deletion: volumeDeletion,
    blocked: volumeInUse,
  });
