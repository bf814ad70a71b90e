import { z } from "zod";
import { enumeration, field } from "../../core";

/** The kinds of VCS providers. */
export const serviceProviders = enumeration({
  ado_server: "Azure DevOps Server.",
  ado_services: "Azure DevOps Services.",
  bitbucket_data_center: "Bitbucket Data Center.",
  bitbucket_hosted: "Bitbucket Cloud.",
  bitbucket_server: "Bitbucket Server 5.4.0 and later; the deprecated name of Bitbucket Data Center.",
  bitbucket_server_legacy: "Bitbucket Server before 5.4.0.",
  github: "GitHub, including GitHub Enterprise Cloud.",
  github_enterprise: "A self-hosted GitHub Enterprise Server.",
  gitlab_hosted: "GitLab.com.",
  gitlab_community_edition: "GitLab Community Edition.",
  gitlab_enterprise_edition: "GitLab Enterprise Edition.",
});

const credential = (doc: string) => ({ doc, secret: true, writeOnly: "when-changed" }) as const;

/** A credential that no request removes. */
const lasting = (doc: string) => ({ ...credential(doc), notRestored: true }) as const;

/** The credentials of a client. The server returns none of them but the key. */
export const credentials = {
  oauthTokenString: field(
    z.string().min(1).optional(),
    lasting("Personal access token that the VCS provider issued."),
  ),
  key: field(z.string().min(1).optional(), {
    doc: "Key of the client at the VCS provider, such as the consumer key of an application link.",
    secret: true,
    notRestored: true,
  }),
  secret: field(
    z.string().min(1).optional(),
    lasting(
      "Secret of the client at the VCS provider; for Bitbucket Data Center the SSH private key of the application link.",
    ),
  ),
  rsaPublicKey: field(z.string().min(1).optional(), {
    doc: "SSH public key of the application link of Bitbucket Data Center.",
    notRestored: true,
  }),
  privateKey: field(z.string().min(1).optional(), {
    ...credential("SSH private key of the account on Azure DevOps Server."),
    toWrite:
      "Required if `serviceProvider` is `ado_server`, and only allowed then. No update can change it, so a change replaces the client.",
    immutable: true,
  }),
};
