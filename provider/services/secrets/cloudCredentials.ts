import { cloudKeys } from "./credentials/fresh";
import { credentialsResource } from "./credentials/issuedOnce";

/** AWS credentials, stored in the state (specification: A5. Cloud engine, Generate credentials). */
export default credentialsResource({
  token: "secrets:CloudCredentials",
  product: { noun: "AWS credentials", docs: "https://developer.hashicorp.com/vault/api-docs/secret/aws" },
  doc: "AWS credentials from a role of the AWS secrets engine. The credentials are issued once and stored in the state as secrets until `triggers` change.",
  id: "{mount}/{name}",
  fresh: cloudKeys,
});
