import { cloudKeys } from "./credentials/fresh";
import { issuedOnce } from "./credentials/issuedOnce";

/** AWS credentials, stored in the state (specification: A5. Cloud engine, Generate credentials). */
export default issuedOnce({
  token: "secrets:CloudCredentials",
  doc: "Cloud credentials by a role: issued once, and kept in the state, secret, until `triggers` change.",
  id: "{mount}/{name}",
  fresh: cloudKeys,
});
