import * as quarterdeck from "pulumi-quarterdeck";

new quarterdeck.mesh.AclPolicy("orders-reader", {
  name: "orders-reader",
  description: "Reads the keys of the orders",
  rules: `key_prefix "orders/" {
  policy = "read"
}
`,
});
