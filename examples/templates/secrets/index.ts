import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config("identity");

// A RabbitMQ role: consumers get a user that can read until its lease ends.
new quarterdeck.secrets.QueueRole("orders-reader", {
  name: "orders-reader",
  vhosts: { "/": { configure: "", write: "", read: "^orders\\." } },
});

// Everyone who logs in with a password confirms the login in Okta.
const staff = new quarterdeck.secrets.MfaMethod("staff", {
  methodName: "staff",
  orgName: "acme",
  apiToken: config.requireSecret("token"),
  usernameFormat: "{{identity.entity.name}}@acme.example",
});
new quarterdeck.secrets.LoginEnforcement("everybody", {
  name: "everybody",
  mfaMethodIds: [staff.methodId],
  authMethodTypes: ["userpass"],
});

export const method = staff.methodId;
