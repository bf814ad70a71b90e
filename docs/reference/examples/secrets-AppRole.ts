import * as quarterdeck from "pulumi-quarterdeck";

const robots = new quarterdeck.secrets.AuthMethod("robots", { path: "robots", type: "approle" });

// The output `roleId` is one half of the credentials. Its users request the other half, a secret ID.
const orders = new quarterdeck.secrets.AppRole("orders", {
  authMount: robots.path,
  roleName: "orders",
  secretIdTtl: "10m",
  secretIdNumUses: 1,
  tokenPolicies: ["orders"],
  tokenTtl: "20m",
});

export const roleId = orders.roleId;
