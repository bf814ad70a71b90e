import * as quarterdeck from "pulumi-quarterdeck";

// Tokens with this policy may request credentials of the role `orders` of the RabbitMQ secrets engine.
new quarterdeck.secrets.Policy("orders", {
  name: "orders",
  policy: `path "rabbitmq/creds/orders" {
  capabilities = ["read"]
}
`,
});
