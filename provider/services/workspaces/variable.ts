import { commonFields, define } from "../../core";
import { goneFromWorkspace, partOfWorkspace, withOrganization, workspaceIdField } from "./ofWorkspace";
import { workspaces } from "./service";
import { WORKSPACE_VARIABLES } from "./variableByKey";
import { variableFields, variableLife, variableRules } from "./variableParts";

/** A variable of a workspace (HCP Terraform API: Workspace variables). */
export default define({
  token: "workspaces:Variable",
  product: {
    noun: "workspace variable",
    terraform: "`tfe_variable`",
    docs: "https://developer.hashicorp.com/terraform/cloud-docs/api-docs/workspace-variables",
  },
  doc: "Terraform variable or environment variable of a workspace. Write a readable value in `value`. Write a secret in `sensitiveValue`, with `sensitive: true`. The server never returns it, so changes by others are not detected.",
  section: "API: workspace variables",
  service: workspaces,
  fields: { ...commonFields, workspaceId: workspaceIdField, ...variableFields("workspace") },
  rules: variableRules,
  where: partOfWorkspace("variableId"),
  life: variableLife(WORKSPACE_VARIABLES, {
    locate: withOrganization,
    absence: goneFromWorkspace("the variable returns 404"),
  }),
});
