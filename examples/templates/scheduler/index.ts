import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config();

const web = new quarterdeck.scheduler.Job("web", {
  spec: {
    id: "web",
    datacenters: ["*"],
    taskGroups: [
      {
        name: "web",
        count: config.getNumber("count") ?? 1,
        networks: [{ dynamicPorts: [{ label: "http", to: 8080 }] }],
        tasks: [
          {
            name: "server",
            driver: "docker",
            config: { image: "busybox:1", args: ["httpd", "-f", "-p", "8080"], ports: ["http"] },
            resources: { cpu: 100, memoryMB: 64 },
          },
        ],
      },
    ],
  },
});

export const index = web.jobModifyIndex;
