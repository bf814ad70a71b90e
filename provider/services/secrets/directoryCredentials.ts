import { directoryAccounts } from "./credentials/fresh";
import { credentialsResource } from "./credentials/issuedOnce";

/** An LDAP account, stored in the state (specification: A6. Directory engine, dynamic roles). */
export default credentialsResource({
  token: "secrets:DirectoryCredentials",
  doc: "An account of the directory by a dynamic role: issued once, and kept in the state, secret, until `triggers` change.",
  id: "{mount}/{roleName}",
  fresh: directoryAccounts,
});
