import { evenEmpty, flag, integer, many, one, sharedObject } from "../../../core";
import { network } from "./network";
import { device, numa } from "./placement";

/** The resources that a task requires (specification: Job (full), Resources). */
export const resources = sharedObject("JobResources", {
  cpu: evenEmpty(integer("Computing power, in MHz.", "CPU")),
  cores: evenEmpty(integer("Cores of its own, in place of `cpu`.")),
  memoryMB: evenEmpty(integer("Memory, in megabytes.")),
  memoryMaxMB: integer("Memory that it may use where there is more, in megabytes."),
  diskMB: integer("Disk space, in megabytes. Groups have `ephemeralDisk` for it."),
  iops: integer("Disk operations a second. Newer services take no notice of it.", "IOPS"),
  networks: many(network, "Networks. Groups have them by now."),
  devices: many(device, "Devices of the node that it needs, such as GPUs."),
  numa: one(numa, "How it is laid on the memory banks.", "NUMA"),
  secretsMB: integer("Memory for the directory of secrets, in megabytes."),
});

/** The log settings of a task (specification: Job (full), LogConfig). */
export const logConfig = sharedObject("JobLogConfig", {
  disabled: flag("Whether no logs are kept."),
  maxFiles: evenEmpty(integer("How many files are kept.")),
  maxFileSizeMB: evenEmpty(integer("How large one may become, in megabytes.")),
});
