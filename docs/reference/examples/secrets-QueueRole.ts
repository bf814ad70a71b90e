import * as quarterdeck from "pulumi-quarterdeck";

new quarterdeck.secrets.QueueRole("orders", {
  name: "orders",
  tags: ["monitoring"],
  vhosts: { "/orders": { configure: "", write: "^orders\\.", read: ".*" } },
});

// A role in a child namespace of the connection's namespace. Its id is team%2Fshop@rabbitmq/orders.
new quarterdeck.secrets.QueueRole("shop-orders", {
  namespace: "team/shop",
  name: "orders",
  tags: ["monitoring"],
  vhosts: { "/shop": { configure: "", write: "", read: ".*" } },
});
