import { anything, flag, integer, list, map, optional, struct, text } from "./field";

const port = struct({
  Label: text(),
  Value: integer(),
  To: integer(),
  HostNetwork: text("default"),
  IgnoreCollision: flag(),
});

export const network = struct({
  Mode: text(),
  Device: text(),
  CIDR: text(),
  IP: text(),
  Hostname: text(),
  MBits: integer(),
  DNS: optional(struct({ Servers: list(text()), Searches: list(text()), Options: list(text()) })),
  ReservedPorts: list(port),
  DynamicPorts: list(port),
  CNI: optional(struct({ Args: map(text()) })),
});

export const volumeRequest = struct({
  Name: text(),
  Type: text(),
  Source: text(),
  ReadOnly: flag(),
  Sticky: flag(),
  AccessMode: text(),
  AttachmentMode: text(),
  MountOptions: optional(struct({ FSType: text(), MountFlags: list(text()) })),
  PerAlloc: flag(),
});

export const volumeMount = struct({
  Volume: text(),
  Destination: text(),
  ReadOnly: flag(),
  PropagationMode: text("private"),
  SELinuxLabel: text(),
});

export const numa = struct({ Affinity: text("none"), Devices: list(text()) });

/** A device's constraints and affinities are kept as they were sent. */
export const device = struct({
  Name: text(),
  Count: integer(1),
  Constraints: list(anything()),
  Affinities: list(anything()),
});
