import { queueUsers } from "./credentials/fresh";
import { credentialsResource } from "./credentials/issuedOnce";

/** A RabbitMQ user, stored in the state (specification: A2. Message-queue engine, creds). */
export default credentialsResource({
  token: "secrets:QueueCredentials",
  doc: "A user of the message queue by a role: issued once, and kept in the state, secret, until `triggers` change.",
  id: "{mount}/{name}",
  fresh: queueUsers,
});
