import { z } from "zod";
import { commonFields, define, field, object, patches } from "../../core";
import { activityDuration } from "./emptiedByNull";
import { inOrganization } from "./inOrganization";
import { document } from "./jsonApi";
import { organizationField } from "./organization";
import { inheritance, projectRules, projectSettings } from "./projectSettings";
import { workspaces } from "./service";
import { bindingsRelationship, tagBindingsOf } from "./tagBindings";

const { where, reads, requests, creation, deletion } = inOrganization({
  collection: "projects",
  part: "projectId",
  noun: "project",
});

/** A project of an organization (HCP Terraform API: Projects). */
export default define({
  token: "workspaces:Project",
  product: {
    noun: "project",
    terraform: "`tfe_project`, `tfe_project_settings`",
    docs: "https://developer.hashicorp.com/terraform/cloud-docs/api-docs/projects",
  },
  doc: "HCP Terraform project: a group of workspaces with common permissions. The server does not delete a project that contains workspaces.",
  section: "API: projects",
  service: workspaces,
  fields: {
    ...commonFields,
    organization: organizationField,
    name: field(
      z
        .string()
        .min(3)
        .max(40)
        .regex(/^[\w-][\w -]*[\w-]$/, "must consist of letters, numbers, inner spaces, - and _"),
      {
        doc: "Name of the project, unique in its organization.",
        toWrite: "3 to 40 letters, numbers, spaces, `-` and `_`, without a space at either end.",
      },
    ),
    description: field(z.string().max(256).optional(), {
      doc: "Purpose of the project, as free text.",
      toWrite: "At most 256 characters.",
      empty: "",
    }),
    autoDestroyActivityDuration: activityDuration(
      "For new workspaces: inactivity after which a destroy run is scheduled",
    ),
    ...projectSettings,
    tagBindings: field(z.record(z.string().min(1), z.string()).optional(), {
      doc: "Key-value tags of the project, which its workspaces inherit.",
      toWrite: "An update removes tags that others added.",
      location: "link",
      document: { exact: true },
      empty: {},
    }),
    projectId: field(z.string().optional(), {
      doc: "ID of the project (`prj-…`), for `projectId` of a workspace.",
      role: "server's",
      wire: "id",
    }),
  },
  rules: projectRules,
  where,
  life: object({
    reads,
    writes: patches({
      ...requests,
      envelope: document("projects", bindingsRelationship),
      inheritance,
      returns: "object",
    }),
    creation,
    deletion,
    links: [tagBindingsOf("projects", "projectId")],
  }),
});
