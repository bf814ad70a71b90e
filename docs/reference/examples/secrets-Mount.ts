import * as quarterdeck from "pulumi-quarterdeck";

const broker = new quarterdeck.secrets.Mount("broker", {
  path: "teams/web/rabbitmq",
  type: "rabbitmq",
  description: "RabbitMQ of the web team",
  defaultLeaseTtl: "1h",
  maxLeaseTtl: "24h",
});

new quarterdeck.secrets.QueueRole("orders", {
  mount: broker.path,
  name: "orders",
  vhosts: { "/orders": { read: ".*" } },
});
