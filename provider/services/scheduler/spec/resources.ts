import { evenEmpty, flag, integer, many, one, sharedObject } from "../../../core";
import { network } from "./network";
import { device, numa } from "./placement";

/** The resources that a task requires (specification: Job (full), Resources). */
export const resources = sharedObject("JobResources", {
  cpu: evenEmpty(integer("CPU bandwidth in MHz. Default: 100, unless `cores` is set.", "CPU")),
  cores: evenEmpty(integer("Number of reserved CPU cores, instead of `cpu`.")),
  memoryMB: evenEmpty(integer("Memory in megabytes (`memory`). Default: 300.")),
  memoryMaxMB: integer("Maximum memory in megabytes if the node has free memory (`memory_max`)."),
  diskMB: integer("Disk space in megabytes. Use the task group's `ephemeralDisk` instead."),
  iops: integer("Disk operations per second. Current Nomad versions ignore it.", "IOPS"),
  networks: many(
    network,
    "Networks of the task (`network` blocks). Use the task group's `networks` instead.",
  ),
  devices: many(device, "Devices of the node to reserve, such as GPUs (`device` blocks)."),
  numa: one(numa, "NUMA placement (`numa` block).", "NUMA"),
  secretsMB: integer("Size of the secrets directory in megabytes (`secrets`)."),
});

/** The log settings of a task (specification: Job (full), LogConfig). */
export const logConfig = sharedObject("JobLogConfig", {
  disabled: flag("Disable log collection."),
  maxFiles: evenEmpty(
    integer("Maximum number of rotated log files to store for each output stream. Default: 10."),
  ),
  maxFileSizeMB: evenEmpty(
    integer("Maximum size of a log file in megabytes (`max_file_size`). Default: 10."),
  ),
});
