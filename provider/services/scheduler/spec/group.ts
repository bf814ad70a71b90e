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
  name: field(z.string().min(1), { doc: "The group's name, unique in its job." }),
  count: evenEmpty(
    integer(
      "How many allocations run. Default: 1. With `scaling` it is the autoscaler's, unless the program changes it.",
    ),
  ),
  ...placement,
  spreads: many(spread, "How allocations are spread."),
  restartPolicy: one(restart, "How tasks are restarted on their node."),
  reschedulePolicy: one(reschedule, "How allocations that failed are placed elsewhere."),
  update: one(update, "How allocations move from one version to the next; over the job's own."),
  migrate: one(migrate, "How allocations leave a node that is drained."),
  disconnect: one(disconnect, "What happens to allocations whose node is out of reach."),
  scaling: one(scaling, "How an autoscaler moves the count."),
  networks: many(network, "How its allocations are reached: networks, with their ports."),
  ephemeralDisk: one(
    sharedObject("JobEphemeralDisk", {
      sticky: flag(
        "Whether a replacement is placed on the same node where that is possible, and keeps the data.",
      ),
      sizeMB: evenEmpty(integer("The disk's size, in megabytes.")),
      migrate: flag("Whether data move along to another node."),
    }),
    "The disk that the group's tasks share.",
  ),
  meta: textMap("Key-value pairs of the user's own."),
  services: services("The services that it offers."),
  tasks: requiredMany(task, "What each of its allocations runs, all of it on one node.", ["Name"]),
  volumes: mapOf(volumeRequest, "The volumes that it asks for, by the names under which tasks mount them."),
  mesh: one(mesh, "How it speaks with the mesh."),
  shutdownDelay: evenEmpty(duration("How long to wait between deregistering the services and the signal.")),
  maxRunDuration: evenEmpty(duration("How long an allocation may run.")),
  stopAfterClientDisconnect: evenEmpty(
    duration("Older services: how long a node waits before it stops what runs."),
  ),
  maxClientDisconnect: evenEmpty(duration("Older services: how long a node may be away.")),
  preventRescheduleOnLost: flag(
    "Whether allocations of a lost node are not replaced. Older services know it.",
  ),
});
