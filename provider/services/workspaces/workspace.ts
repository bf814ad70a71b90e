import { z } from "zod";
import {
  caseFolded,
  checksByRejection,
  commonFields,
  define,
  enumeration,
  field,
  get,
  instant,
  object,
  patch,
  patches,
  place,
  post,
  setting,
} from "../../core";
import { activityDuration, emptiedByNull } from "./emptiedByNull";
import { updatedAt } from "./jsonApi";
import { organizationField } from "./organization";
import { isTaken, workspaces } from "./service";
import { workspaceDeletion } from "./workspaceDelete";
import { missingFromList } from "./workspaceGone";
import { inheritance } from "./workspaceInherited";
import { asDocument, workspaceLinks } from "./workspaceLinks";
import { workspaceListing } from "./workspaceListing";
import { nameTaken } from "./workspaceName";
import { withPage } from "./workspacePage";
import { vcsRepo } from "./workspaceRepository";
import { workspaceNotes, workspaceRules } from "./workspaceRules";
import { workspaceSettings } from "./workspaceSettings";

const flag = (doc: string, value: boolean, toWrite?: string) =>
  field(z.boolean().optional(), { doc, default: value, ...(toWrite && { toWrite }) });
const patterns = (doc: string) => field(z.array(z.string()).optional(), { doc, default: [] });
const text = (doc: string) => field(z.string().optional(), { doc, empty: "" });
const lasting = (doc: string) => field(z.string().optional(), { doc, notRestored: true });

const all = "/organizations/{organization}/workspaces";
const byId = "/workspaces/{workspaceId}";

const modes = enumeration({
  remote: "HCP Terraform executes runs.",
  local: "Runs execute outside HCP Terraform, which only stores the state.",
  agent: "Self-hosted agents execute runs.",
});

/** A workspace (specification: Workspace and Private Registry API, Workspaces). */
export default define({
  token: "workspaces:Workspace",
  product: {
    noun: "workspace",
    terraform: "`tfe_workspace`",
    docs: "https://developer.hashicorp.com/terraform/enterprise/api-docs/workspaces",
  },
  doc: "HCP Terraform workspace: a collection of infrastructure that Terraform manages.",
  section: "Workspace (`type` = `workspaces`)",
  service: workspaces,
  fields: {
    ...commonFields,
    organization: organizationField,
    name: field(z.string().min(1), {
      doc: "Name of the workspace, unique in its organization.",
      toWrite: "A rename happens in place and changes the workspace's API and UI URLs.",
    }),
    agentPoolId: field(z.string().optional(), {
      doc: "ID of the agent pool that executes runs; the pool belongs to the same organization.",
      toWrite: "Required when `executionMode` is `agent`.",
      empty: null,
      sentWith: ["executionMode"],
      inheritedWhileFalse: "settingOverwrites.agentPool",
    }),
    allowDestroyPlan: flag("Allow destroy plans to be queued.", true),
    assessmentsEnabled: flag(
      "Run health assessments; the organization may enforce them.",
      false,
      "Requires the `remote` or `agent` execution mode, Terraform 0.15.4 or later, and an organization tier that includes health assessments.",
    ),
    autoApply: flag("Apply successful plans automatically in runs started from VCS, UI or CLI.", false),
    autoApplyRunTrigger: flag("Apply successful plans automatically in runs started by run triggers.", false),
    autoDestroyAt: field(z.string().optional(), {
      doc: "Time of the next scheduled destroy run (ISO 8601).",
      empty: null,
      spelling: emptiedByNull(instant),
    }),
    autoDestroyActivityDuration: activityDuration("Inactivity after which a destroy run is scheduled"),
    description: text("Free-text description of the workspace."),
    executionMode: field(modes.optional(), {
      doc: "Execution mode of runs; `local` only stores the state.",
      toWrite:
        "If removed, the default of the project or the organization applies again (`settingOverwrites.executionMode` is set to false).",
      // The server requires the mode if its overwrite is set to true.
      sentWith: ["settingOverwrites"],
      inheritedWhileFalse: "settingOverwrites.executionMode",
    }),
    fileTriggersEnabled: flag("Start runs only for pushes that change matching files.", true),
    globalRemoteState: field(z.boolean().optional(), {
      doc: "Allow all workspaces in the organization to read this workspace's state.",
      toWrite: "Default: chosen by the organization's administrators.",
      notRestored: true,
    }),
    operations: field(z.boolean().optional(), {
      doc: "Execute runs remotely; false only stores the state.",
      default: true,
      sentWith: ["executionMode"],
      deprecated: "Use `executionMode`.",
    }),
    queueAllRuns: flag("Queue runs immediately after the workspace is created.", false),
    sourceName: lasting("Name of the client that created the workspace."),
    sourceUrl: lasting("URL of the client that created the workspace."),
    speculativeEnabled: flag("Allow automatic speculative plans.", true),
    engineVersion: field(z.string().min(1).optional(), {
      doc: "Terraform version: an exact version or a version constraint.",
      toWrite: "Default: the latest Terraform release when the workspace is created.",
      notRestored: true,
    }),
    triggerPatterns: patterns(
      "Glob patterns, relative to the repository root, of files whose change starts a run.",
    ),
    triggerPrefixes: patterns("Directories whose change starts a run, in addition to the working directory."),
    vcsRepo,
    workingDirectory: text("Directory in which Terraform runs, relative to the repository root."),
    ...workspaceSettings,
    settingOverwrites: field(
      z
        .strictObject({
          executionMode: field(z.boolean().optional(), {
            doc: "Use the workspace's own execution mode; false inherits that of the project or the organization.",
            notRestored: true,
          }),
          agentPool: field(z.boolean().optional(), {
            doc: "Use the workspace's own agent pool; false inherits that of the project or the organization.",
            notRestored: true,
          }),
        })
        .optional(),
      {
        doc: "Settings that the workspace sets itself instead of inheriting them from its project or organization.",
        notRestored: true,
      },
    ),
    projectId: field(z.string().min(1).optional(), {
      doc: "ID of the project that contains the workspace.",
      toWrite: "Default: the organization's default project.",
      location: "relationship",
      notRestored: true,
    }),
    sshKeyId: field(z.string().min(1).optional(), {
      doc: "ID of the SSH key for fetching modules.",
      toWrite: "Set it either here or with a `WorkspaceSshKey`, not with both.",
      location: "link",
      empty: null,
    }),
    tagNames: field(z.array(z.string().min(1)).optional(), {
      doc: "Flat string tags. The server stores them in lower case.",
      toWrite:
        "HCP Terraform accepts at most 255 letters, numbers, `:`, `-` and `_` per tag, with a letter or a number at both ends.",
      location: "link",
      additive: { unless: "exclusiveTags" },
      spelling: caseFolded,
      empty: [],
    }),
    exclusiveTags: field(z.boolean().optional(), {
      doc: "Remove tags that are not in `tagNames`, whether they are added later or exist when this is turned on.",
      role: "steering",
      default: false,
    }),
    tagBindings: field(z.record(z.string().min(1), z.string()).optional(), {
      doc: "Key-value tags.",
      toWrite:
        "If the server does not support key-value tags, a program that sets them fails with an error; other programs are unaffected.",
      location: "link",
      document: { exact: true },
      empty: {},
    }),
    forceDelete: field(z.boolean().optional(), {
      doc: "Delete the workspace even if it is locked or still manages resources.",
      role: "steering",
      default: false,
    }),
    workspaceId: field(z.string().optional(), {
      doc: "ID of the workspace (`ws-…`).",
      role: "server's",
      wire: "id",
    }),
    resourceCount: field(z.int().optional(), {
      doc: "Number of resources in the workspace's Terraform state when it was last read.",
      role: "server's",
    }),
    createdAt: field(z.string().optional(), { doc: "Creation time (ISO 8601).", role: "server's" }),
    htmlUrl: field(z.string().nullish(), {
      doc: "URL of the workspace's web page; not set if the server returns none.",
      role: "server's",
      isLater: true,
    }),
  },
  rules: workspaceRules,
  notes: workspaceNotes,
  where: place(["{workspaceId}", "{organization}/{name}"], {
    defaults: { organization: setting("organization") },
    fromInputs: ({ name }) => ({ name }),
    fromResponse: { workspaceId: "id", name: "name", organization: "organization-id" },
  }),
  life: object({
    reads: {
      one: get(byId),
      byName: get(`${all}/{name}`),
      expects: { named: { workspaceId: "id", name: "name" } },
      withSite: withPage,
      absence: missingFromList,
      list: workspaceListing,
      lastWriteTime: updatedAt,
    },
    writes: patches({
      create: post(all),
      update: patch(byId),
      envelope: asDocument,
      inheritance,
      returns: "object",
    }),
    creation: {
      existing: checksByRejection((answer) => answer.status === 409 || isTaken(answer)),
      recognition: { creationTimeMember: "created-at" },
    },
    deletion: workspaceDeletion,
    links: workspaceLinks,
    blocked: nameTaken,
  }),
});
