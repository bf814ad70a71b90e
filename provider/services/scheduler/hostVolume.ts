import { z } from "zod";
import { commonFields, define, field, requiredText, rule, text } from "../../core";
import { bytes, volumeFields, volumeLife, volumePlace } from "./hostVolumeParts";
import { scheduler } from "./service";
import { documentOf } from "./unit";

const constraint = z.strictObject({
  lTarget: text("Node attribute, metadata value or property to compare, in Nomad's interpolation syntax."),
  rTarget: text("Value to compare with."),
  operand: requiredText("Comparison operator: `=`, `!=`, `<`, `regexp`, `version`…"),
});

/** A dynamic host volume (Nomad's API documentation, "Volumes"; Nomad 2.0.5, `nomad/structs/host_volumes.go`). */
export default define({
  token: "scheduler:HostVolume",
  product: {
    noun: "Nomad host volume",
    terraform: "`nomad_dynamic_host_volume`",
    docs: "https://developer.hashicorp.com/nomad/api-docs/volumes",
  },
  doc: "A Nomad dynamic host volume, which a plugin creates on a client node. A create or an update waits until the volume is ready. Nomad has no check-and-set for volumes, so Quarterdeck reads and compares the volume just before a write. Requires Nomad 1.10 or later. The token needs `host-volume-read`, `host-volume-create` and `host-volume-delete`.",
  section: "API: volumes",
  service: scheduler,
  fields: {
    ...commonFields,
    ...volumeFields,
    pluginId: field(z.string().min(1), {
      doc: "Plugin that creates the volume. The built-in plugin `mkdir` creates a directory.",
      toWrite:
        "If it is changed, the new plugin creates the volume again under the same ID, and Nomad does not delete or move the earlier plugin's data.",
      wire: "PluginID",
    }),
    nodeId: field(z.string().min(1).optional(), {
      doc: "ID of the node that stores the volume.",
      toWrite:
        "Default: Nomad selects a node that has the plugin, has no volume of this name and meets `nodePool` and `constraints`. If you set it, a create whose response is lost can be repeated safely.",
      immutable: true,
      notRestored: true,
      wire: "NodeID",
    }),
    nodePool: field(z.string().min(1).optional(), {
      doc: "Pool of the nodes from which Nomad selects one. If the node moves to another pool, the volume moves with it.",
      toWrite: "Default: a node of any pool.",
      immutable: true,
      notRestored: true,
    }),
    constraints: documentOf(z.array(constraint).optional(), {
      doc: "Requirements on the node. Nomad checks them only when it creates the volume.",
      immutable: true,
      notRestored: true,
    }),
    capacityMinBytes: bytes(
      "Minimum capacity in bytes. 0: no minimum. A minimum requires `capacityMaxBytes`.",
      "RequestedCapacityMinBytes",
    ),
    capacityMaxBytes: bytes(
      "Maximum capacity in bytes, not less than the current capacity. 0: no maximum, if there is no minimum.",
      "RequestedCapacityMaxBytes",
    ),
    capacityBytes: field(z.int().optional(), {
      doc: "Capacity of the volume in bytes, as the plugin reports it. 0 if the plugin does not limit it.",
      role: "server's",
    }),
    hostPath: field(z.string().optional(), {
      doc: "Path of the volume on its node.",
      role: "server's",
    }),
  },
  rules: [
    rule(
      ["capacityMaxBytes", "capacityMinBytes"],
      (most, least) => Number(least ?? 0) > Number(most ?? 0),
      "must be at least capacityMinBytes",
    ),
  ],
  where: volumePlace,
  life: volumeLife("create"),
  notes: ({ inputs, changed, replaces = [], outputs }) => {
    if (outputs === undefined) return [];
    if (replaces.length > 0) {
      const isMoved = replaces.every((name) => name === "nodePool");
      const keep = isMoved
        ? `; to keep it, set nodePool to ${String(outputs.nodePool)}, the pool of its node`
        : "";
      return [`the replacement deletes the volume with its data${keep}`];
    }
    const isChanged = (property: string) => changed.some(([name]) => name === property);
    if (isChanged("pluginId"))
      return [
        `the new plugin creates the volume again under the same ID; Nomad does not delete or move the data that the plugin ${String(outputs.pluginId)} created`,
      ];
    return inputs.pluginId === "mkdir" && isChanged("parameters")
      ? ["the plugin mkdir does not apply changed parameters to an existing directory"]
      : [];
  },
});
