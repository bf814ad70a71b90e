import * as quarterdeck from "pulumi-quarterdeck";

new quarterdeck.secrets.QueueRole("orders", {
  name: "orders",
  tags: ["monitoring"],
  vhosts: { "/orders": { configure: "", write: "^orders\\.", read: ".*" } },
});
