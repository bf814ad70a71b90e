import { network } from "./network";
import { placement } from "./placement";
import { many, one, schema } from "./schema";

const device = schema({ count: "number" }, placement);

export const resources = schema(
  {
    cpu: ["number", "CPU"],
    cores: "number",
    memory: ["number", "MemoryMB"],
    memory_max: ["number", "MemoryMaxMB"],
    disk: ["number", "DiskMB"],
    secrets: ["number", "SecretsMB"],
  },
  {
    network: many("Networks", () => network),
    device: many("Devices", () => device, "Name"),
    numa: one("NUMA", () => schema({ affinity: "string", devices: "strings" })),
  },
);

export const logs = schema({
  max_files: "number",
  max_file_size: ["number", "MaxFileSizeMB"],
  disabled: "bool",
});
