import { serverError } from "./errors";
import { nodeOf } from "./nodes";
import type { volumeShape } from "./objects";
import type { Operation } from "./operation";

/** A volume as a request contains it. */
export type SentVolume = NonNullable<ReturnType<typeof volumeShape.read>>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ATTACHMENT_MODES: readonly string[] = ["file-system", "block-device"];
const ACCESS_MODES: readonly string[] = [
  ...["single-node-reader-only", "single-node-writer"],
  ...["single-node-single-writer", "single-node-multi-writer"],
];

/** The errors of a volume, regardless of what the region stores. */
export function volumeErrors(volume: SentVolume): readonly string[] {
  const {
    ID = "",
    Name = "",
    RequestedCapacityMinBytes: least = 0,
    RequestedCapacityMaxBytes: most = 0,
  } = volume;
  return [
    ...(ID === "" || UUID.test(ID) ? [] : [`invalid ID "${ID}"`]),
    ...(Name === "" ? ["missing name"] : []),
    ...(most < least ? [`capacity_max (${most}) must be larger than capacity_min (${least})`] : []),
    ...(volume.RequestedCapabilities ?? []).flatMap(({ AttachmentMode = "", AccessMode = "" }) => {
      if (!ATTACHMENT_MODES.includes(AttachmentMode)) return [`invalid attachment mode: "${AttachmentMode}"`];
      return ACCESS_MODES.includes(AccessMode) ? [] : [`invalid access mode: "${AccessMode}"`];
    }),
    ...(volume.Constraints ?? []).flatMap(({ Operand = "" }) =>
      Operand === "" ? ["invalid constraint: 1 error occurred:\n\t* Missing constraint operand\n\n"] : [],
    ),
  ];
}

/** The ID of the node for a volume: the named one, or the first one that may store it. */
export function placed({ world, switches }: Operation, volume: SentVolume, isThere: boolean): string {
  const { Name = "", NodeID: wanted = "", NodePool: pool = "", PluginID: plugin = "" } = volume;
  const nodes = Array.from({ length: switches.nodes }, (_, index) => nodeOf(index + 1).ID);
  const against = (why: string) => serverError(`validating volume "${Name}" against state failed: ${why}`);
  if (wanted !== "" && !nodes.includes(wanted)) throw against(`node "${wanted}" does not exist`);
  if (pool !== "" && !world.nodePools.has(pool)) throw against(`node pool "${pool}" does not exist`);
  // Every node of the mock server is in the pool `default`.
  if (wanted !== "" && pool !== "" && pool !== "default")
    throw against(`node ID "${wanted}" is not in pool "${pool}"`);
  // The mock server compares only equal values, and every node has the plugin `mkdir`.
  const isFeasible = (node: string) =>
    plugin === "mkdir" &&
    (volume.Constraints ?? []).every(({ LTarget, RTarget, Operand }) =>
      Operand === "=" && LTarget === NODE_ID ? RTarget === node : true,
    );
  const place = (why: string) => serverError(`could not place volume "${Name}": ${why}`);
  if (wanted !== "") {
    if (isThere || isFeasible(wanted)) return wanted;
    throw place(`node ${wanted} is not feasible for volume`);
  }
  const inPool = pool === "" || pool === "default" ? nodes : [];
  const taken = new Set(
    [...world.volumes.values()].filter((one) => one.Name === Name).map((one) => one.NodeID),
  );
  const free = inPool.filter((node) => !taken.has(node));
  const found = free.find(isFeasible);
  if (found !== undefined) return found;
  throw place(
    `no node meets constraints: ${inPool.length - free.length} nodes had existing volume, 0 nodes filtered by node pool governance, ${free.length} nodes were infeasible`,
  );
}

const NODE_ID = "$" + "{node.unique.id}";

/** The plugin's error for its parameters. */
export function pluginError(parameters: SentVolume["Parameters"] = {}): string | undefined {
  const unknown = Object.keys(parameters).find((name) => !["mode", "uid", "gid"].includes(name));
  return unknown === undefined
    ? undefined
    : `invalid value for "${unknown}": unknown mkdir parameter: "${unknown}"`;
}
