import * as quarterdeck from "pulumi-quarterdeck";

const gpu = new quarterdeck.scheduler.NodePool("gpu", {
  name: "gpu",
  description: "Nodes with accelerators",
  meta: { rack: "9" },
  nodeIdentityTtl: "12h",
});

// The job uses the node pool's output, so that the job is deleted first.
new quarterdeck.scheduler.Job("training", {
  spec: {
    id: "training",
    type: "batch",
    nodePool: gpu.name,
    taskGroups: [
      {
        name: "train",
        tasks: [{ name: "train", driver: "docker", config: { image: "registry.example.com/train:2.0" } }],
      },
    ],
  },
  purge: true,
});
