import { directoryAccounts } from "./credentials/fresh";
import { credentialsResource } from "./credentials/issuedOnce";

/** An LDAP account, stored in the state (specification: A6. Directory engine, dynamic roles). */
export default credentialsResource({
  token: "secrets:DirectoryCredentials",
  product: {
    noun: "LDAP dynamic credentials",
    docs: "https://developer.hashicorp.com/vault/api-docs/secret/ldap",
  },
  doc: "An LDAP account from a dynamic role of the LDAP secrets engine. The account is issued once and stored in the state as a secret until `triggers` change.",
  id: "{mount}/{roleName}",
  fresh: directoryAccounts,
});
