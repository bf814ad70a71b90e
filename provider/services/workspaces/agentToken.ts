import { z } from "zod";
import { define, field, place, procedure, writeOnlyFields } from "../../core";
import { createToken, deleteToken, readToken } from "./agentTokenRequests";
import { workspaces } from "./service";

/** A token of an agent pool, stored in the state (HCP Terraform API: Agent tokens). */
export default define({
  token: "workspaces:AgentToken",
  product: {
    noun: "agent token",
    terraform: "`tfe_agent_token`",
    docs: "https://developer.hashicorp.com/terraform/cloud-docs/api-docs/agent-tokens",
  },
  doc: "Token with which HCP Terraform agents connect to an agent pool. The server returns it only in the response to the create. It is stored in the state as a secret until `description` or `triggers` change.",
  section: "API: agent tokens",
  service: workspaces,
  fields: {
    ...writeOnlyFields,
    agentPoolId: field(z.string().min(1), {
      doc: "ID of the agent pool (`apool-…`).",
      role: "identity",
      location: "address",
    }),
    description: field(z.string().min(1), {
      doc: "Text that explains the purpose of the token.",
      toWrite:
        "The server cannot change it, so a change creates another token and then deletes the current one.",
      immutable: true,
    }),
    // Open: the program may use any values; only a change has an effect.
    triggers: field(z.array(z.unknown()).optional(), {
      doc: "Arbitrary values. Changing them creates another token and then deletes the current one. Default: none.",
      role: "steering",
      immutable: true,
    }),
    agentTokenId: field(z.string().optional(), {
      doc: "ID of the token (`at-…`).",
      role: "server's",
      wire: "id",
    }),
    createdAt: field(z.string().optional(), { doc: "Creation time (ISO 8601).", role: "server's" }),
    token: field(z.string().optional(), {
      doc: "The token itself, for `TFC_AGENT_TOKEN` of an agent.",
      role: "server's",
      secret: true,
    }),
  },
  where: place("{agentPoolId}/{agentTokenId=unknown}", { fromResponse: { agentTokenId: "id" } }),
  life: procedure({
    createBeforeDelete: true,
    proceed: createToken,
    refresh: readToken,
    end: deleteToken,
    description: {
      proceeds:
        "A create reads the agent pool, and sends one request. If the response is lost, Quarterdeck does not know whether a token was created, and no request returns its value. The resource is then partially created: `pulumi up` reports this, names the tokens of the pool that have the description, and does not repeat the request. To create another token, change `triggers`.",
      refreshes:
        "A refresh reads the token by its ID, which shows neither its value nor a change: the server cannot change a token. If the token is missing from the list of its pool, or the pool from the list of the organization, the resource is removed from the state, and the next `pulumi up` creates another token.",
      ends: "A delete deletes the token by its ID, so agents that use it can no longer connect. After a create with a lost response the ID is unknown: a warning reports that a token may remain.",
    },
  }),
});
