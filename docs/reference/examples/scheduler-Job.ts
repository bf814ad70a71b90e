import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config();

// Typed: the compiler finds misspelled members, and durations may have units.
const web = new quarterdeck.scheduler.Job("web", {
  spec: {
    id: "web",
    datacenters: ["dc1"],
    update: { maxParallel: 1, minHealthyTime: "15s", autoRevert: true },
    taskGroups: [
      {
        name: "front",
        count: 2,
        networks: [{ mode: "bridge", dynamicPorts: [{ label: "http", to: 8080 }] }],
        services: [
          {
            name: "web",
            portLabel: "http",
            checks: [{ type: "http", path: "/health", interval: "10s", timeout: "2s" }],
          },
        ],
        tasks: [
          {
            name: "server",
            driver: "docker",
            config: { image: "registry.example.com/web:1.4.2", ports: ["http"] },
            env: { GREETING: "hello", API_KEY: config.requireSecret("apiKey") },
            resources: { cpu: 200, memoryMB: 256 },
            killTimeout: "20s",
          },
        ],
      },
    ],
  },
  wait: "deployment",
  purge: true,
});

// As an HCL job file with variables, which Nomad parses. The text and the variables that are not secret are also sent as the
// job's submission, so that the Nomad UI can show them.
new quarterdeck.scheduler.Job("report", {
  hcl: `
    variable "image" { type = string }
    variable "key" { type = string }

    job "report" {
      type = "batch"
      periodic {
        cron             = "0 6 * * *"
        prohibit_overlap = true
      }
      group "report" {
        task "send" {
          driver = "docker"
          config { image = var.image }
          env { API_KEY = var.key }
        }
      }
    }
  `,
  variables: { image: "registry.example.com/report:2.0.1", key: config.requireSecret("apiKey") },
});

// In a different region than the connection's. The ID of this job is east@default/web.
new quarterdeck.scheduler.Job("web-east", {
  region: "east",
  spec: { id: "web", taskGroups: [{ name: "front", tasks: [{ name: "server", driver: "docker" }] }] },
});

// As JSON (string or object) in Nomad's member names.
new quarterdeck.scheduler.Job("clean", {
  json: {
    ID: "clean",
    Type: "batch",
    ParameterizedJob: { Payload: "optional" },
    TaskGroups: [{ Name: "clean", Tasks: [{ Name: "run", Driver: "docker", Config: { image: "clean:1" } }] }],
  },
});

export const index = web.jobModifyIndex;
