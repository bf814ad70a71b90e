import { flag, integer, list, optional, struct } from "./field";
import { device, network, numa } from "./network";

export const resources = struct({
  CPU: integer(),
  Cores: integer(),
  MemoryMB: integer(300),
  MemoryMaxMB: integer(),
  DiskMB: integer(),
  IOPS: integer(),
  Networks: list(network),
  Devices: list(device),
  NUMA: optional(numa),
  SecretsMB: integer(),
});

export const logConfig = struct({ MaxFiles: integer(10), MaxFileSizeMB: integer(10), Disabled: flag() });
