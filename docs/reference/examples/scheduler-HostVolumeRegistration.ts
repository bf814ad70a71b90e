import * as quarterdeck from "pulumi-quarterdeck";

// The path exists on the node. A delete leaves its data there.
new quarterdeck.scheduler.HostVolumeRegistration("archive", {
  name: "archive",
  nodeId: "00000000-0000-0000-0000-000000000001",
  hostPath: "/srv/archive",
  capabilities: [{ accessMode: "single-node-reader-only", attachmentMode: "file-system" }],
});
