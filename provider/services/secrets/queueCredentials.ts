import { queueUsers } from "./credentials/fresh";
import { credentialsResource } from "./credentials/issuedOnce";

/** A RabbitMQ user, stored in the state (specification: A2. Message-queue engine, creds). */
export default credentialsResource({
  token: "secrets:QueueCredentials",
  product: {
    noun: "RabbitMQ credentials",
    docs: "https://developer.hashicorp.com/vault/api-docs/secret/rabbitmq",
  },
  doc: "A RabbitMQ user from a role of the RabbitMQ secrets engine. The user is issued once and stored in the state as a secret until `triggers` change.",
  id: "{mount}/{name}",
  fresh: queueUsers,
});
