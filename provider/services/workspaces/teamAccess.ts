import { z } from "zod";
import {
  checksByReadAndRejection,
  commonFields,
  define,
  del,
  deletes,
  enumeration,
  field,
  get,
  isGiven,
  object,
  patch,
  patches,
  post,
  rule,
} from "../../core";
import { document, toOne } from "./jsonApi";
import { searchInList } from "./listSearch";
import { goneFromWorkspace, partOfWorkspace, withOrganization, workspaceIdField } from "./ofWorkspace";
import { isTaken, workspaces } from "./service";
import { CUSTOM, derived, fromLevel, permissions } from "./teamPermissions";

const all = "/team-workspaces";
const one = `${all}/{teamAccessId}`;
const TEAM = "team-id";
const OF_WORKSPACE = "filter[workspace][id]";

/** Finds an access before it has an ID: a workspace has at most one for each team. */
const byTeam = searchInList(
  {
    route: get(all, { query: { [OF_WORKSPACE]: "{workspaceId}" } }),
    query: ({ workspaceId }) => ({ [OF_WORKSPACE]: workspaceId }),
    part: "teamAccessId",
  },
  (item, { teamId }) => item[TEAM] === teamId,
);

const asDocument = document("team-workspaces", {
  [TEAM]: toOne("team", "teams"),
  "workspace-id": toOne("workspace", "workspaces"),
});

/** The access of a team to a workspace (HCP Terraform API: Team access). */
export default define({
  token: "workspaces:TeamAccess",
  product: {
    noun: "team access",
    terraform: "`tfe_team_access`",
    docs: "https://developer.hashicorp.com/terraform/cloud-docs/api-docs/team-access",
  },
  doc: "Permissions of a team on a workspace, in addition to the team's permissions on projects and the organization. The plan of the organization must include teams.",
  section: "API: team access",
  service: workspaces,
  fields: {
    ...commonFields,
    workspaceId: workspaceIdField,
    teamId: field(z.string().min(1), {
      doc: "ID of the team (`team-…`).",
      location: "relationship",
      immutable: true,
    }),
    access: field(
      enumeration({
        read: "Read runs, variables and states.",
        plan: "Also start plans.",
        write: "Also apply plans, change variables and lock the workspace.",
        admin: "Also change settings of the workspace and the access of teams.",
        custom:
          "The permissions that the other properties set. A change to this level resets the others to their defaults.",
      }),
      { doc: "Level of the access." },
    ),
    ...CUSTOM,
    teamAccessId: field(z.string().optional(), {
      doc: "ID of the access (`tws-…`).",
      role: "server's",
      wire: "id",
    }),
  },
  rules: permissions.map((name) =>
    rule(
      [name, "access"],
      (permission, access) => isGiven(permission) && access !== undefined && access !== "custom",
      "is only allowed if access is custom: otherwise the server derives it from access",
    ),
  ),
  where: partOfWorkspace("teamAccessId"),
  life: object({
    reads: {
      one: get(one),
      expects: { named: { teamAccessId: "id", teamId: TEAM }, within: { workspaceId: "workspace-id" } },
      // An object without a team is not an access.
      toObject: (body) => derived({ ...body, [TEAM]: body[TEAM] ?? "" }, body.access),
      locate: withOrganization,
      absence: goneFromWorkspace("the team access returns 404"),
    },
    writes: patches({
      create: post(all),
      update: patch(one),
      envelope: (members, { address: { teamAccessId, workspaceId = "" }, inputs }) => {
        const own = derived(members, inputs.access);
        return asDocument(
          teamAccessId === undefined ? { ...own, "workspace-id": workspaceId } : fromLevel(own),
        );
      },
      returns: "object",
    }),
    creation: { existing: checksByReadAndRejection(isTaken, byTeam) },
    deletion: deletes(del(one)),
  }),
});
