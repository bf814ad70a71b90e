import * as quarterdeck from "pulumi-quarterdeck";

const role = new quarterdeck.secrets.QueueRole("orders", {
  name: "orders",
  vhosts: { "/": { configure: "", write: "orders.*", read: "orders.*" } },
});

// New triggers create a new RabbitMQ user, and then delete the old user.
const user = new quarterdeck.secrets.QueueCredentials("orders", { name: role.name, triggers: ["2030-01"] });

export const login = user.username;
export const password = user.password;
