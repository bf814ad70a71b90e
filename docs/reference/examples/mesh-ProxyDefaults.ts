import * as quarterdeck from "pulumi-quarterdeck";

new quarterdeck.mesh.ProxyDefaults("global", {
  spec: {
    config: { protocol: "http", local_connect_timeout_ms: 1000 },
    accessLogs: { enabled: true },
  },
});
