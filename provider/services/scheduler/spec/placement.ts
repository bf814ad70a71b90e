import { z } from "zod";
import { evenEmpty, field, flag, integer, many, sharedObject, text, texts } from "../../../core";

const target = {
  lTarget: text(
    "Node attribute, metadata value or property to compare (`attribute`), in Nomad's interpolation syntax.",
  ),
  rTarget: text("Value to compare with (`value`)."),
  operand: text("Comparison operator: `=`, `!=`, `<`, `regexp`, `version`, `distinct_hosts`…"),
};

/** A constraint: a requirement on the node (specification: Job (full), Constraint). */
export const constraint = sharedObject("JobConstraint", target);

/** An affinity: a preference for nodes (specification: Job (full), affinity). */
export const affinity = sharedObject("JobAffinity", {
  ...target,
  weight: evenEmpty(
    integer(
      "Weight of the affinity, from -100 to 100. A negative weight avoids matching nodes. Default: 50.",
    ),
  ),
});

/** A spread of allocations over the values of an attribute. */
export const spread = sharedObject("JobSpread", {
  attribute: text(
    "Node attribute whose values the allocations are spread over, in Nomad's interpolation syntax.",
  ),
  weight: evenEmpty(integer("Weight of the spread, from 1 to 100. Default: 50.")),
  spreadTarget: many(
    sharedObject("JobSpreadTarget", {
      value: text("Attribute value of this target."),
      percent: integer("Percentage of the allocations for this value."),
    }),
    "Percentage of allocations for each attribute value (`target` blocks). Without targets, allocations are spread evenly.",
  ),
});

/** The placement members of a job, a group or a task. */
export const placement = {
  constraints: many(constraint, "Requirements on the node (`constraint` blocks)."),
  affinities: many(affinity, "Preferences for the node (`affinity` blocks)."),
};

/** A device that a task needs. */
export const device = sharedObject("JobDevice", {
  name: text("Device name: `type`, `vendor/type` or `vendor/type/name`."),
  count: evenEmpty(integer("Number of devices to reserve. Default: 1.")),
  ...placement,
});

/** The NUMA settings of a task: its placement on the memory banks of its node. */
export const numa = sharedObject("JobNuma", {
  affinity: text(
    "NUMA placement of the task's cores on one memory bank: `none`, `prefer` or `require`. Default: `none`.",
  ),
  devices: texts("Devices that must be on the same NUMA node as the cores."),
});

/** A volume that a group requests. */
export const volumeRequest = sharedObject("JobVolume", {
  name: text("Name of the volume. Default: the key in the map."),
  type: text("Volume type: `host` or `csi`."),
  source: text("Name of the host volume, or ID of the CSI volume."),
  readOnly: flag("Mount the volume read-only, without write access."),
  sticky: flag("Give a replacement allocation the same volume."),
  accessMode: text("Access mode of the CSI volume, such as `single-node-writer`."),
  attachmentMode: text("Attachment mode of the CSI volume: `file-system` or `block-device`."),
  mountOptions: field(
    sharedObject("JobMountOptions", {
      fsType: text("File system type, such as `ext4`.", "FSType"),
      mountFlags: texts("Flags for the mount command."),
    }).optional(),
    { doc: "Mount options of the file system (`mount_options` block)." },
  ),
  perAlloc: flag("Use a separate volume for each allocation, whose name ends in the allocation's index."),
});

/** The mount of a group's volume in a task. */
export const volumeMount = sharedObject("JobVolumeMount", {
  volume: field(z.string().min(1), { doc: "Name of the volume in the task group." }),
  destination: text("Mount path inside the task."),
  readOnly: flag("Mount the volume read-only, without write access."),
  propagationMode: evenEmpty(
    text("Mount propagation: `private`, `host-to-task` or `bidirectional`. Default: `private`."),
  ),
  seLinuxLabel: text(
    "SELinux label of the mount: `z` for a shared volume, `Z` for a private one.",
    "SELinuxLabel",
  ),
});
