import { z } from "zod";
import { commonFields, define, enumeration, field, isObject, object, patches, rule } from "../../core";
import { inOrganization } from "./inOrganization";
import { document } from "./jsonApi";
import { organizationField } from "./organization";
import { NO_ACCESS, organizationAccess } from "./organizationAccess";
import { workspaces } from "./service";

const { where, reads, requests, creation, deletion } = inOrganization({
  collection: "teams",
  part: "teamId",
  noun: "team",
  // Other servers return the complete list at once.
  pages: { by: "number" },
});

/** The permissions that the server grants only together with another one. */
const IMPLIED = [
  ["readProjects", "readWorkspaces"],
  ["manageWorkspaces", "readWorkspaces"],
] as const;

/** A team of an organization (HCP Terraform API: Teams). */
export default define({
  token: "workspaces:Team",
  product: {
    noun: "team",
    terraform: "`tfe_team`",
    docs: "https://developer.hashicorp.com/terraform/cloud-docs/api-docs/teams",
  },
  doc: "HCP Terraform team: a group of users with common permissions. The plan of the organization must include teams. The members of the team are not part of this resource.",
  section: "API: teams",
  service: workspaces,
  fields: {
    ...commonFields,
    organization: organizationField,
    name: field(z.string().regex(/^[\w-]+$/, "must consist of letters, numbers, - and _"), {
      doc: "Name of the team, unique in its organization.",
      toWrite: "Letters, numbers, `-` and `_`.",
    }),
    visibility: field(
      enumeration({
        secret: "Only its members and the owners see the team.",
        organization: "Every member of the organization sees the team.",
      }).optional(),
      { doc: "Visibility of the team and its members.", default: "secret" },
    ),
    ssoTeamId: field(z.string().optional(), {
      doc: "ID of the team at the identity provider, from the SAML attribute `MemberOf`.",
      empty: "",
    }),
    organizationAccess: field(organizationAccess.optional(), {
      doc: "Permissions of the team on the organization.",
      toWrite: "If removed, the team loses all of them.",
      default: NO_ACCESS,
    }),
    allowMemberTokenManagement: field(z.boolean().optional(), {
      doc: "Allow the members of the team to create and revoke its API tokens.",
      default: true,
    }),
    teamId: field(z.string().optional(), {
      doc: "ID of the team (`team-…`), for `teamId` of a `TeamAccess`.",
      role: "server's",
      wire: "id",
    }),
  },
  rules: [
    // An update that removed it would contradict the other permission.
    rule(
      ["organizationAccess.manageWorkspaces", "organizationAccess.manageProjects"],
      (workspaces, projects) => projects === true && workspaces !== true,
      "must be true, because manageProjects: true requires it",
    ),
    ...IMPLIED.map(([name, other]) =>
      rule(
        ["organizationAccess"],
        (access) => isObject(access) && access[name] === true && access[other] === false,
        `must not contain ${name}: true with ${other}: false, because ${name} includes ${other}`,
      ),
    ),
  ],
  where,
  life: object({
    reads,
    writes: patches({ ...requests, envelope: document("teams"), returns: "object" }),
    creation,
    deletion,
  }),
});
