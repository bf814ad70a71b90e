import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config();

const engine = new quarterdeck.secrets.Mount("orders", {
  path: "orders",
  type: "kv",
  options: { version: "2" },
});

new quarterdeck.secrets.KvSecret("database", {
  mount: engine.path,
  path: "database",
  data: {
    username: "orders",
    password: config.requireSecret("databasePassword"),
  },
});
