import * as quarterdeck from "pulumi-quarterdeck";

const uploads = new quarterdeck.scheduler.HostVolume("uploads", {
  name: "uploads",
  pluginId: "mkdir",
  capabilities: [{ accessMode: "single-node-writer", attachmentMode: "file-system" }],
  parameters: { mode: "0750" },
});

// The job uses the volume's name output, so that the job is stopped before the volume is deleted.
new quarterdeck.scheduler.Job("album", {
  spec: {
    id: "album",
    taskGroups: [
      {
        name: "album",
        volumes: {
          uploads: {
            type: "host",
            source: uploads.name,
            accessMode: "single-node-writer",
            attachmentMode: "file-system",
          },
        },
        tasks: [
          {
            name: "album",
            driver: "docker",
            config: { image: "registry.example.com/album:1.0" },
            volumeMounts: [{ volume: "uploads", destination: "/uploads" }],
          },
        ],
      },
    ],
  },
});
