import { z } from "zod";
import { evenEmpty, field, flag, integer, many, sharedObject, text, texts } from "../../../core";

const target = {
  lTarget: text(
    "What is looked at: an attribute, a meta value or a property of the node, as the service writes it.",
  ),
  rTarget: text("What it is compared with."),
  operand: text("How it is compared: `=`, `!=`, `<`, `regexp`, `version`, `distinct_hosts`…"),
};

/** A constraint: a requirement on the node (specification: Job (full), Constraint). */
export const constraint = sharedObject("JobConstraint", target);

/** An affinity: a preference for nodes (specification: Job (full), affinity). */
export const affinity = sharedObject("JobAffinity", {
  ...target,
  weight: evenEmpty(integer("How much it counts, from -100 to 100; a negative one keeps away.")),
});

/** A spread of allocations over the values of an attribute. */
export const spread = sharedObject("JobSpread", {
  attribute: text("The attribute over whose values they are spread, as the service writes it."),
  weight: evenEmpty(integer("How much it counts, from 1 to 100.")),
  spreadTarget: many(
    sharedObject("JobSpreadTarget", {
      value: text("A value of the attribute."),
      percent: integer("The part that belongs there, in percent."),
    }),
    "Which part belongs to which value; evenly where nothing is said.",
  ),
});

/** The placement members of a job, a group or a task. */
export const placement = {
  constraints: many(constraint, "What a node must have."),
  affinities: many(affinity, "What a node should have."),
};

/** A device that a task needs. */
export const device = sharedObject("JobDevice", {
  name: text("The device: `vendor/type/name`, or a part of it."),
  count: evenEmpty(integer("How many of these devices.")),
  ...placement,
});

/** The NUMA settings of a task: its placement on the memory banks of its node. */
export const numa = sharedObject("JobNuma", {
  affinity: text("Whether its cores lie at one bank: `none`, `prefer` or `require`."),
  devices: texts("The devices that must be near."),
});

/** A volume that a group requests. */
export const volumeRequest = sharedObject("JobVolume", {
  name: text("The volume's name. The key of the map where none is given."),
  type: text("The kind of volume: `host` or `csi`."),
  source: text("The volume on the node, or the id of the volume of the plugin."),
  readOnly: flag("Whether it is mounted for reading only."),
  sticky: flag("Whether a replacement gets the same volume."),
  accessMode: text("Who may use it at once, such as `single-node-writer`."),
  attachmentMode: text("As what it is attached: `file-system` or `block-device`."),
  mountOptions: field(
    sharedObject("JobMountOptions", {
      fsType: text("The file system's type.", "FSType"),
      mountFlags: texts("Flags with which it is mounted."),
    }).optional(),
    { doc: "How the file system is mounted." },
  ),
  perAlloc: flag("Whether each allocation has a volume of its own, named by its number."),
});

/** The mount of a group's volume in a task. */
export const volumeMount = sharedObject("JobVolumeMount", {
  volume: field(z.string().min(1), { doc: "The name of the group's volume." }),
  destination: text("The path inside of the task."),
  readOnly: flag("Whether it is mounted for reading only."),
  propagationMode: evenEmpty(
    text("How mounts inside of it are passed on: `private`, `host-to-task` or `bidirectional`."),
  ),
  seLinuxLabel: text("The label for SELinux.", "SELinuxLabel"),
});
