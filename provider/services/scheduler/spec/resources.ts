import { evenEmpty, flag, many, object, one, whole } from "../../../core/language/members";
import { network } from "./network";
import { device, numa } from "./placement";

/** What a task needs of its node (specification: Job (full), Resources). */
export const resources = object("JobResources", {
  cpu: evenEmpty(whole("Computing power, in MHz.", "CPU")),
  cores: evenEmpty(whole("Cores of its own, in place of `cpu`.")),
  memoryMB: evenEmpty(whole("Memory, in megabytes.")),
  memoryMaxMB: whole("Memory that it may use where there is more, in megabytes."),
  diskMB: whole("Disk space, in megabytes. Groups have `ephemeralDisk` for it."),
  iops: whole("Disk operations a second. Newer services take no notice of it.", "IOPS"),
  networks: many(network, "Networks. Groups have them by now."),
  devices: many(device, "Devices."),
  numa: one(numa, "How it is laid on the memory banks.", "NUMA"),
  secretsMB: whole("Memory for the directory of secrets, in megabytes."),
});

/** How the logs of a task are kept (specification: Job (full), LogConfig). */
export const logConfig = object("JobLogConfig", {
  disabled: flag("No logs are kept."),
  maxFiles: evenEmpty(whole("How many files are kept.")),
  maxFileSizeMB: evenEmpty(whole("How large one may become, in megabytes.")),
});
