import * as quarterdeck from "pulumi-quarterdeck";

const web = new quarterdeck.scheduler.Job("web", {
  spec: {
    id: "web",
    datacenters: ["*"],
    taskGroups: [
      {
        name: "front",
        count: 2,
        tasks: [{ name: "server", driver: "docker", config: { image: "web:1.4" } }],
      },
    ],
  },
});

export const index = web.jobModifyIndex;
