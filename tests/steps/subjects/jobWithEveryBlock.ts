import type { Json } from "../../../provider/core/value/json";
import type { Dialect } from "../../dialect";

type Members = { readonly [member: string]: Json };

/** A job that has each block for which Nomad fills in members. */
export const jobWithEveryBlock = (type: "service" | "batch", dialect: Dialect): Members => ({
  ID: "web",
  Type: type,
  ...(type === "batch" && {
    Periodic: { Spec: "@daily" },
    ParameterizedJob: { MetaRequired: ["team"] },
  }),
  Affinities: [{ LTarget: "region", RTarget: "dc1", Operand: "=" }],
  Spreads: [{ Attribute: "region" }],
  UI: { Description: "d" },
  TaskGroups: [
    {
      Name: "front",
      Scaling: { Min: 1, Max: 4 },
      ...(type === "service" && { Disconnect: { LostAfter: 60_000_000_000 } }),
      Networks: [
        {
          Mode: "bridge",
          DynamicPorts: [{ Label: "http" }],
          ReservedPorts: [{ Label: "admin", Value: 8080 }],
          DNS: { Servers: ["10.0.0.1"] },
        },
      ],
      Volumes: { data: { Name: "data", Type: "host", Source: "data" } },
      Services: [
        {
          Name: "web",
          PortLabel: "http",
          Weights: {},
          Checks: [{ Type: "http", Path: "/", Interval: 10_000_000_000, CheckRestart: { Limit: 3 } }],
          Connect: {
            SidecarService: {},
            SidecarTask: { Resources: {}, LogConfig: {} },
          },
        },
      ],
      Tasks: [
        {
          Name: "server",
          Driver: "docker",
          Resources: { Devices: [{ Name: "gpu" }], NUMA: {} },
          LogConfig: {},
          ...(dialect === "real"
            ? { Vault: { Role: "web" }, Consul: {} }
            : { Secrets: { Role: "web" }, Mesh: {} }),
          Templates: [{ EmbeddedTmpl: "x", DestPath: "local/x", Wait: {}, ChangeScript: { Command: "/r" } }],
          Artifacts: [{ GetterSource: "https://example.com/x" }],
          VolumeMounts: [{ Volume: "data", Destination: "/data" }],
          ScalingPolicies: [{ Type: "vertical_cpu", Max: 500 }],
          CSIPluginConfig: { ID: "plugin" },
          Identities: [{ Name: "web", Audience: ["a"] }],
        },
      ],
    },
  ],
});
