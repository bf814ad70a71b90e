import { z } from "zod";
import {
  evenEmpty,
  field,
  flag,
  integer,
  many,
  mapOf,
  one,
  requiredMany,
  sharedObject,
  textMap,
} from "../../../core";
import { duration } from "./duration";
import { network } from "./network";
import { placement, spread, volumeRequest } from "./placement";
import { disconnect, migrate, reschedule, restart, scaling, update } from "./policy";
import { services } from "./service";
import { mesh, task } from "./task";

/** A task group: tasks that run together on one node (specification: Job (full), Task group). */
export const group = sharedObject("JobTaskGroup", {
  name: field(z.string().min(1), { doc: "Name of the task group, unique within the job." }),
  count: evenEmpty(
    integer(
      "Number of allocations to run. Default: 1. With `scaling`, the autoscaler owns the count unless the program changes it.",
    ),
  ),
  ...placement,
  spreads: many(spread, "Distribution of allocations over node attributes (`spread` blocks)."),
  restartPolicy: one(restart, "Restart policy for tasks on the same node (`restart` block)."),
  reschedulePolicy: one(reschedule, "Reschedule policy for failed allocations (`reschedule` block)."),
  update: one(
    update,
    "Update strategy for new job versions (`update` block). This block overrides the update strategy of the job.",
  ),
  migrate: one(migrate, "Migrate strategy for drained nodes (`migrate` block)."),
  disconnect: one(disconnect, "Handling of allocations on disconnected nodes (`disconnect` block)."),
  scaling: one(scaling, "Scaling policy for the count (`scaling` block)."),
  networks: many(network, "Networks of the allocations, with their ports (`network` blocks)."),
  ephemeralDisk: one(
    sharedObject("JobEphemeralDisk", {
      sticky: flag("Place a replacement allocation on the same node if possible, and keep the data."),
      sizeMB: evenEmpty(integer("Disk size in megabytes (`size`). Default: 300.")),
      migrate: flag("Copy the data to the new node if the replacement allocation runs on a different node."),
    }),
    "Ephemeral disk, shared by the group's tasks (`ephemeral_disk` block).",
  ),
  meta: textMap("User-defined metadata (`meta` block)."),
  services: services("Services to register for the group (`service` blocks)."),
  tasks: requiredMany(task, "Tasks of each allocation, which run together on one node (`task` blocks).", [
    "Name",
  ]),
  volumes: mapOf(
    volumeRequest,
    "Volumes that the group requests (`volume` blocks), by the name that tasks use to mount them.",
  ),
  mesh: one(mesh, "Consul settings of the group (`consul` block)."),
  shutdownDelay: evenEmpty(
    duration("Delay between deregistering the group's services and stopping its tasks."),
  ),
  maxRunDuration: evenEmpty(duration("Maximum run time of an allocation.")),
  stopAfterClientDisconnect: evenEmpty(
    duration(
      "Time until a disconnected client stops the allocation. Deprecated in Nomad 1.8 and ignored since 1.10: use `disconnect.stopOnClientAfter`.",
    ),
  ),
  maxClientDisconnect: evenEmpty(
    duration(
      "Time that a node may be disconnected before its allocations are lost. Deprecated in Nomad 1.8 and ignored since 1.10: use `disconnect.lostAfter`.",
    ),
  ),
  preventRescheduleOnLost: flag(
    "Do not replace the allocations of a lost node. Deprecated in Nomad 1.8 and ignored since 1.10: use `disconnect.replace`.",
  ),
});
