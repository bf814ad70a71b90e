import { cloudKeys } from "./credentials/fresh";
import { credentialsResource } from "./credentials/issuedOnce";

/** AWS credentials, stored in the state (specification: A5. Cloud engine, Generate credentials). */
export default credentialsResource({
  token: "secrets:CloudCredentials",
  doc: "Cloud credentials by a role: issued once, and kept in the state, secret, until `triggers` change.",
  id: "{mount}/{name}",
  fresh: cloudKeys,
});
