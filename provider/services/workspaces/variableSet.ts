import { z } from "zod";
import { commonFields, define, field, object, patches, rule, stringsIn } from "../../core";
import { inOrganization } from "./inOrganization";
import { document, targetsIn, toMany } from "./jsonApi";
import { organizationField } from "./organization";
import { workspaces } from "./service";

const { where, reads, requests, creation, deletion } = inOrganization({
  collection: "varsets",
  part: "variableSetId",
  noun: "variable set",
  // Other servers return the complete list at once.
  pages: { by: "number" },
});

/** A variable set of an organization (HCP Terraform API: Variable sets). */
export default define({
  token: "workspaces:VariableSet",
  product: {
    noun: "variable set",
    terraform: "`tfe_variable_set`, `tfe_workspace_variable_set`, `tfe_project_variable_set`",
    docs: "https://developer.hashicorp.com/terraform/cloud-docs/api-docs/variable-sets",
  },
  doc: "HCP Terraform variable set: variables for several workspaces and projects, or for the entire organization. The variables of the set are resources of their own: `VariableSetVariable`.",
  section: "API: variable sets",
  service: workspaces,
  fields: {
    ...commonFields,
    organization: organizationField,
    name: field(z.string().min(1), { doc: "Name of the variable set, unique in its organization." }),
    description: field(z.string().optional(), {
      doc: "Text that explains the purpose of the set.",
      empty: "",
    }),
    global: field(z.boolean().optional(), {
      doc: "Apply the set to all current and future workspaces of the organization.",
      default: false,
    }),
    priority: field(z.boolean().optional(), {
      doc: "Give the variables of the set precedence over variables of workspaces and of the command line.",
      default: false,
    }),
    workspaceIds: field(z.array(z.string().min(1)).optional(), {
      doc: "IDs of the workspaces (`ws-…`) that use the set.",
      toWrite: "An update removes workspaces that others added. Not allowed if `global` is true.",
      wire: "workspaces",
      location: "relationship",
      unordered: true,
      empty: [],
    }),
    projectIds: field(z.array(z.string().min(1)).optional(), {
      doc: "IDs of the projects (`prj-…`) whose workspaces use the set.",
      toWrite: "An update removes projects that others added. Not allowed if `global` is true.",
      wire: "projects",
      location: "relationship",
      unordered: true,
      empty: [],
    }),
    variableSetId: field(z.string().optional(), {
      doc: "ID of the variable set (`varset-…`).",
      role: "server's",
      wire: "id",
    }),
  },
  rules: (["workspaceIds", "projectIds"] as const).map((name) =>
    rule(
      [name, "global"],
      (ids, isGlobal) => isGlobal === true && stringsIn(ids).length > 0,
      "must be empty if global is true: a global set applies to every workspace",
    ),
  ),
  where,
  life: object({
    reads: {
      ...reads,
      toObject: (body) => ({
        ...body,
        workspaces: targetsIn(body.relationships, "workspaces"),
        projects: targetsIn(body.relationships, "projects"),
      }),
    },
    writes: patches({
      ...requests,
      envelope: document("varsets", {
        workspaces: toMany("workspaces", "workspaces"),
        projects: toMany("projects", "projects"),
      }),
      returns: "object",
    }),
    creation,
    deletion,
  }),
});
