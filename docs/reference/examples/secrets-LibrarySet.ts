import * as quarterdeck from "pulumi-quarterdeck";

new quarterdeck.secrets.LibrarySet("operators", {
  name: "operators",
  serviceAccountNames: ["svc-operator-1", "svc-operator-2"],
  ttl: "8h",
  maxTtl: "24h",
});
