import * as pulumi from "@pulumi/pulumi";
import { secrets } from "../../../sdk";

/** From an empty server to a RabbitMQ user: engine, connection, role, policy and credentials. */
export function queue({ broker = "" }: Readonly<Record<string, string>>) {
  const { path: mount } = new secrets.Mount("queue", { path: "teams/queue", type: "rabbitmq" });

  const connection = new secrets.QueueConnection("broker", {
    mount,
    connectionUri: broker,
    username: "guest",
    password: "guest",
  });

  const role = new secrets.QueueRole("orders", {
    mount,
    name: "orders",
    tags: ["monitoring"],
    vhosts: { "/": { configure: "", write: "^orders\\.", read: ".*" } },
  });

  new secrets.Policy("orders", {
    name: "orders",
    policy: pulumi.interpolate`path "${mount}/creds/${role.name}" { capabilities = ["read"] }`,
  });

  const { username, password } = new secrets.QueueCredentials(
    "orders",
    { mount, name: role.name },
    { dependsOn: [connection] },
  );
  return { username, password };
}
