import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config();

export const web = new quarterdeck.scheduler.Job("web", {
  json: {
    ID: "web",
    Datacenters: ["dc1"],
    TaskGroups: [
      {
        Name: "front",
        Count: 2,
        Tasks: [
          {
            Name: "server",
            Driver: "docker",
            Config: { image: "registry.example.com/web:1.4.2" },
            Env: { GREETING: "hello", API_KEY: config.requireSecret("apiKey") },
          },
        ],
      },
    ],
  },
  purge: true,
});

export const index = web.jobModifyIndex;
