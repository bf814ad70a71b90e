import { many, one, schema } from "./schema";

const dns = schema({ servers: "strings", searches: "strings", options: "strings" });

/** A port with a `static` value is a reserved one; `read.ts` separates the two. */
const port = schema({
  static: ["number", "Value"],
  to: "number",
  host_network: "string",
  ignore_collision: "bool",
});

export const network = schema(
  { mode: "string", mbits: ["number", "MBits"], device: "string", hostname: "string" },
  {
    dns: one("DNS", () => dns),
    port: many("Ports", () => port, "Label"),
    cni: one("CNI", () => schema({ args: "strings-map" })),
  },
);

export const volume = schema(
  {
    type: "string",
    source: "string",
    read_only: "bool",
    sticky: "bool",
    access_mode: "string",
    attachment_mode: "string",
    per_alloc: "bool",
  },
  {
    mount_options: one("MountOptions", () =>
      schema({ fs_type: ["string", "FSType"], mount_flags: "strings" }),
    ),
  },
);

export const volumeMount = schema({
  volume: "string",
  destination: "string",
  read_only: "bool",
  propagation_mode: "string",
  selinux_label: ["string", "SELinuxLabel"],
});
