import { z } from "zod";
import { commonFields, define, field } from "../../core";
import { bytes, volumeFields, volumeLife, volumePlace } from "./hostVolumeParts";
import { scheduler } from "./service";

/** A registered host volume (Nomad's API documentation, "Volumes"; Nomad 2.0.5, `nomad/structs/host_volumes.go`). */
export default define({
  token: "scheduler:HostVolumeRegistration",
  product: {
    noun: "Nomad host volume registration",
    terraform: "`nomad_dynamic_host_volume_registration`",
    docs: "https://developer.hashicorp.com/nomad/api-docs/volumes",
  },
  doc: "The registration of an existing path on a Nomad client node as a dynamic host volume. A delete removes the volume from Nomad and leaves the data on the node. A create or an update waits until the volume is ready. Nomad has no check-and-set for volumes, so Quarterdeck reads and compares the volume just before a write. Requires Nomad 1.10 or later. The token needs `host-volume-read`, `host-volume-register` and `host-volume-delete`.",
  section: "API: volumes",
  service: scheduler,
  fields: {
    ...commonFields,
    ...volumeFields,
    nodeId: field(z.string().min(1), {
      doc: "ID of the node with the path.",
      immutable: true,
      wire: "NodeID",
    }),
    hostPath: field(z.string().min(1), {
      doc: "Path on the node, which must exist.",
    }),
    capacityBytes: bytes("Capacity of the volume in bytes. Nomad stores it and does not enforce it."),
  },
  where: volumePlace,
  life: volumeLife("register"),
});
