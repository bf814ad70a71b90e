import { z } from "zod";
import { checksByRead, commonFields, define, field, object, patches, rule } from "../../core";
import { inOrganization } from "./inOrganization";
import { document, targetsIn, toMany, toOne } from "./jsonApi";
import { credentials, serviceProviders } from "./oauthClientFields";
import { byName, CLIENT_PAGES, locateClient } from "./oauthClientSearch";
import { organizationField } from "./organization";
import { workspaces } from "./service";

const { where, reads, requests, deletion } = inOrganization({
  collection: "oauth-clients",
  part: "oauthClientId",
  noun: "OAuth client",
  pages: CLIENT_PAGES,
});

/** A connection of an organization to a VCS provider (HCP Terraform API: OAuth clients). */
export default define({
  token: "workspaces:OauthClient",
  product: {
    noun: "OAuth client",
    terraform: "`tfe_oauth_client`, `tfe_project_oauth_client`",
    docs: "https://developer.hashicorp.com/terraform/cloud-docs/api-docs/oauth-clients",
  },
  doc: "Connection of an HCP Terraform organization to a version control system, for the repositories of workspaces. The server never returns the credentials, so changes by others are not detected. A delete disconnects the workspaces that use the connection from their repositories.",
  section: "API: OAuth clients",
  service: workspaces,
  fields: {
    ...commonFields,
    organization: organizationField,
    name: field(z.string().min(1), {
      doc: "Display name of the client.",
      toWrite:
        "A create fails if another client of the organization has the name, although the server accepts equal names: Quarterdeck finds the client by its name if a response is lost.",
    }),
    serviceProvider: field(serviceProviders, { doc: "Kind of the VCS provider.", immutable: true }),
    httpUrl: field(z.string().min(1), {
      doc: "Homepage of the VCS provider, such as `https://github.com`.",
      immutable: true,
    }),
    apiUrl: field(z.string().min(1), {
      doc: "Base URL of the VCS provider's API, such as `https://api.github.com`.",
      immutable: true,
    }),
    ...credentials,
    organizationScoped: field(z.boolean().optional(), {
      doc: "Allow all projects and workspaces of the organization to use the client.",
      default: true,
    }),
    projectIds: field(z.array(z.string().min(1)).optional(), {
      doc: "IDs of the projects (`prj-…`) that may use the client if it is not organization-scoped.",
      wire: "projects",
      location: "relationship",
      unordered: true,
      empty: [],
    }),
    agentPoolId: field(z.string().min(1).optional(), {
      doc: "ID of the agent pool (`apool-…`) through which the server reaches a private VCS provider.",
      location: "relationship",
      notRestored: true,
    }),
    oauthClientId: field(z.string().optional(), {
      doc: "ID of the OAuth client (`oc-…`).",
      role: "server's",
      wire: "id",
    }),
    oauthTokenId: field(z.string().nullish(), {
      doc: "ID of the OAuth token (`ot-…`), for `vcsRepo.oauthTokenId` of a workspace; not set until a person authorizes a client without `oauthTokenString`.",
      role: "server's",
    }),
    callbackUrl: field(z.string().optional(), {
      doc: "URL of the redirect after an authorization at the VCS provider.",
      role: "server's",
    }),
  },
  rules: [
    rule(
      ["privateKey", "serviceProvider"],
      (key, provider) => (provider === "ado_server") !== (key !== undefined),
      "is required if serviceProvider is ado_server, and only allowed then",
    ),
  ],
  where,
  life: object({
    reads: {
      ...reads,
      locate: locateClient,
      expects: { named: { oauthClientId: "id", serviceProvider: "service-provider", name: "name?" } },
      toObject: (body) => ({
        ...body,
        projects: targetsIn(body.relationships, "projects"),
        "oauth-token-id": targetsIn(body.relationships, "oauth-tokens")[0] ?? null,
      }),
    },
    writes: patches({
      ...requests,
      envelope: document("oauth-clients", {
        projects: toMany("projects", "projects"),
        "agent-pool-id": toOne("agent-pool", "agent-pools"),
      }),
      returns: "object",
    }),
    creation: { existing: checksByRead(byName), recognition: { creationTimeMember: "created-at" } },
    deletion,
  }),
});
