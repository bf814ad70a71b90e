import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config("identity");

// What consumers of the broker get: a user that may read, for as long as its lease.
new quarterdeck.secrets.QueueRole("orders-reader", {
  name: "orders-reader",
  vhosts: { "/": { configure: "", write: "", read: "^orders\\." } },
});

// Everybody who logs in by a password confirms it.
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
