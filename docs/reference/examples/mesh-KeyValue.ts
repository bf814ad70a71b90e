import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config();

new quarterdeck.mesh.KeyValue("greeting", { key: "shop/greeting", value: "Welcome" });

// A secret value is encrypted in the state, and masked in messages.
new quarterdeck.mesh.KeyValue("password", {
  key: "shop/password",
  value: config.requireSecret("shopPassword"),
});
