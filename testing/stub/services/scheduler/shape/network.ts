import { direct, flag, integer, list, map, optional, struct, text } from "./field";
import { affinity, constraint } from "./placement";

const port = struct({
  Label: direct(text()),
  Value: direct(integer()),
  To: direct(integer()),
  HostNetwork: direct(text("default")),
  IgnoreCollision: direct(flag()),
});

export const network = struct({
  Mode: direct(text()),
  Device: direct(text()),
  CIDR: direct(text()),
  IP: direct(text()),
  Hostname: direct(text()),
  MBits: integer(),
  DNS: optional(struct({ Servers: list(text()), Searches: list(text()), Options: list(text()) })),
  ReservedPorts: list(port),
  DynamicPorts: list(port),
  CNI: optional(struct({ Args: map(text()) })),
});

export const volumeRequest = struct({
  Name: direct(text()),
  Type: direct(text()),
  Source: direct(text()),
  ReadOnly: direct(flag()),
  Sticky: direct(flag()),
  AccessMode: direct(text()),
  AttachmentMode: direct(text()),
  MountOptions: optional(struct({ FSType: direct(text()), MountFlags: list(text()) })),
  PerAlloc: direct(flag()),
});

export const volumeMount = struct({
  Volume: text(),
  Destination: text(),
  ReadOnly: flag(),
  PropagationMode: text("private"),
  SELinuxLabel: text(),
});

export const numa = struct({ Affinity: direct(text("none")), Devices: list(text()) });

export const device = struct({
  Name: direct(text()),
  Count: integer(1),
  Constraints: list(constraint),
  Affinities: list(affinity),
});
