import * as quarterdeck from "pulumi-quarterdeck";

new quarterdeck.mesh.ServiceDefaults("web", {
  name: "web",
  spec: {
    protocol: "http",
    upstreamConfig: {
      defaults: { connectTimeoutMs: 2000, passiveHealthCheck: { interval: "10s", maxFailures: 3 } },
      overrides: [{ name: "orders", limits: { maxConnections: 100 } }],
    },
  },
});
