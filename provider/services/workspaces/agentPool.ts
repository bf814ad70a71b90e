import { z } from "zod";
import { commonFields, define, field, object, patches } from "../../core";
import { inOrganization } from "./inOrganization";
import { document, targetsIn, toMany } from "./jsonApi";
import { organizationField } from "./organization";
import { workspaces } from "./service";

/** The relationships that limit the use of a pool, with the type of their objects. */
const SCOPE = {
  "allowed-workspaces": "workspaces",
  "allowed-projects": "projects",
  "excluded-workspaces": "workspaces",
} as const;

const ids = (wire: keyof typeof SCOPE, doc: string, toWrite: string) =>
  field(z.array(z.string().min(1)).optional(), {
    doc,
    toWrite,
    wire,
    location: "relationship",
    unordered: true,
    empty: [],
  });

const scopeNames = Object.keys(SCOPE);
const scopeLinks = Object.fromEntries(
  Object.entries(SCOPE).map(([name, type]) => [name, toMany(name, type)]),
);

const { where, reads, requests, creation, deletion } = inOrganization({
  collection: "agent-pools",
  part: "agentPoolId",
  noun: "agent pool",
});

/** An agent pool of an organization (HCP Terraform API: Agents and agent pools). */
export default define({
  token: "workspaces:AgentPool",
  product: {
    noun: "agent pool",
    terraform:
      "`tfe_agent_pool`, `tfe_agent_pool_allowed_workspaces`, `tfe_agent_pool_allowed_projects`, `tfe_agent_pool_excluded_workspaces`",
    docs: "https://developer.hashicorp.com/terraform/cloud-docs/api-docs/agents",
  },
  doc: "HCP Terraform agent pool: a group of self-hosted agents that execute the runs of workspaces.",
  section: "API: agent pools",
  service: workspaces,
  fields: {
    ...commonFields,
    organization: organizationField,
    name: field(z.string().min(1), { doc: "Name of the agent pool, unique in its organization." }),
    organizationScoped: field(z.boolean().optional(), {
      doc: "Allow all workspaces of the organization to use the pool.",
      default: true,
    }),
    allowedWorkspaceIds: ids(
      "allowed-workspaces",
      "IDs of the workspaces (`ws-…`) that may use the pool if it is not organization-scoped.",
      "An update removes workspaces that others added.",
    ),
    allowedProjectIds: ids(
      "allowed-projects",
      "IDs of the projects (`prj-…`) whose workspaces may use the pool if it is not organization-scoped.",
      "An update removes projects that others added.",
    ),
    excludedWorkspaceIds: ids(
      "excluded-workspaces",
      "IDs of the workspaces (`ws-…`) that may not use the pool, although its scope contains them.",
      "An update removes workspaces that others added.",
    ),
    agentPoolId: field(z.string().optional(), {
      doc: "ID of the agent pool (`apool-…`), for `agentPoolId` of a workspace.",
      role: "server's",
      wire: "id",
    }),
  },
  where,
  life: object({
    reads: {
      ...reads,
      toObject: (body) => ({
        ...body,
        ...Object.fromEntries(scopeNames.map((name) => [name, targetsIn(body.relationships, name)])),
      }),
    },
    writes: patches({
      ...requests,
      envelope: document("agent-pools", scopeLinks),
      returns: "object",
    }),
    creation,
    deletion,
  }),
});
