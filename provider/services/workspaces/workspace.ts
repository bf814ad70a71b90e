import { z } from "zod";
import {
  caseFolded,
  checksByRejection,
  commonFields,
  define,
  field,
  get,
  instant,
  object,
  patch,
  patches,
  place,
  post,
  type Spelling,
  setting,
  words,
} from "../../core";
import { updatedAt } from "./jsonApi";
import { organizationField } from "./organization";
import { isTaken, workspaces } from "./service";
import { workspaceDeletion } from "./workspaceDelete";
import { missingFromList } from "./workspaceGone";
import { inheriting, withoutInherited } from "./workspaceInherited";
import { asDocument, workspaceLinks } from "./workspaceLinks";
import { workspaceListing } from "./workspaceListing";
import { nameTaken } from "./workspaceName";
import { withPage } from "./workspacePage";
import { vcsRepo } from "./workspaceRepository";
import { workspaceNotes, workspaceRules } from "./workspaceRules";

const flag = (doc: string, value: boolean, toWrite?: string) =>
  field(z.boolean().optional(), { doc, default: value, ...(toWrite && { toWrite }) });
const patterns = (doc: string) => field(z.array(z.string()).optional(), { doc, default: [] });
const text = (doc: string) => field(z.string().optional(), { doc, empty: "" });
const lasting = (doc: string) => field(z.string().optional(), { doc, notRestored: true });

/** The server rejects empty text here: null clears these attributes. */
const emptiedByNull = (spelling: Spelling): Spelling => ({
  ...spelling,
  encode: (value) => (value === "" ? null : value),
});
const activityDuration: Spelling = { name: "", canonical: (value) => value };

const all = "/organizations/{organization}/workspaces";
const byId = "/workspaces/{workspaceId}";

const modes = words({ remote: "On the service.", local: "Elsewhere.", agent: "On an agent of one's own." });

/** A workspace (specification: Workspace and Private Registry API, Workspaces). */
export default define({
  token: "workspaces:Workspace",
  doc: "A workspace: a unit of running infrastructure managed by an infrastructure-as-code engine.",
  section: "Workspace (`type` = `workspaces`)",
  service: workspaces,
  fields: {
    ...commonFields,
    organization: organizationField,
    name: field(z.string().min(1), {
      doc: "The workspace's name, unique in its organization.",
      toWrite: "Renaming changes its API and UI address; it happens in place.",
    }),
    agentPoolId: field(z.string().optional(), {
      doc: "The id of the agent pool that carries out its runs, one of its organization's.",
      toWrite: "Required when `executionMode` is `agent`.",
      empty: null,
      sentWith: ["executionMode"],
    }),
    allowDestroyPlan: flag("Whether destroy plans can be queued.", true),
    assessmentsEnabled: flag(
      "Whether its health is assessed; the organization may enforce it.",
      false,
      "Needs the remote execution mode, engine 0.15.4 or later and the organization's tier.",
    ),
    autoApply: flag(
      "Whether a successful plan is applied by itself, in runs started by VCS, UI or CLI.",
      false,
    ),
    autoApplyRunTrigger: flag(
      "Whether a successful plan is applied by itself, in runs started by run triggers.",
      false,
    ),
    autoDestroyAt: field(z.string().optional(), {
      doc: "When the next destroy run is scheduled (ISO 8601).",
      empty: null,
      spelling: emptiedByNull(instant),
    }),
    autoDestroyActivityDuration: field(z.string().optional(), {
      doc: "After which inactivity a destroy run is scheduled: a number, followed by `d` (days) or `h` (hours).",
      toWrite: "The number is greater than 0, of at most four digits.",
      empty: null,
      spelling: emptiedByNull(activityDuration),
    }),
    description: text("What the workspace is for: free text."),
    executionMode: field(modes.optional(), {
      doc: "Where runs are carried out; `local` stores the state only.",
      toWrite:
        "When it is dropped, the organization's default applies again (its overwrite is set to false).",
      // The server requires the mode if its overwrite is set to true.
      sentWith: ["settingOverwrites"],
    }),
    fileTriggersEnabled: flag("Whether only pushes that change matching files start a run.", true),
    globalRemoteState: field(z.boolean().optional(), {
      doc: "Whether all workspaces of the organization may read this one's state.",
      toWrite: "When it is dropped the value stays: administrators choose the default.",
      notRestored: true,
    }),
    operations: field(z.boolean().optional(), {
      doc: "Whether runs are executed remotely. False stores the state only.",
      default: true,
      sentWith: ["executionMode"],
      deprecated: "Use `executionMode`.",
    }),
    queueAllRuns: flag("Whether runs are queued immediately after creation.", false),
    sourceName: lasting("The name of the client that creates the workspace."),
    sourceUrl: lasting("A URL of the client that creates the workspace."),
    speculativeEnabled: flag("Whether automatic speculative plans are allowed.", true),
    engineVersion: field(z.string().min(1).optional(), {
      doc: "The engine's version, exact or a constraint.",
      toWrite:
        "When it is dropped the value stays: the latest release at creation is no value to go back to.",
      notRestored: true,
    }),
    triggerPatterns: patterns(
      "Glob patterns of files whose change starts a run, from the root of the repository.",
    ),
    triggerPrefixes: patterns("Directories whose change starts a run, beside the working directory."),
    vcsRepo,
    workingDirectory: text("The directory the engine runs in, relative to the repository's root."),
    settingOverwrites: field(
      z
        .strictObject({
          executionMode: field(z.boolean().optional(), {
            doc: "Whether the execution mode is its own; false inherits the organization's.",
            notRestored: true,
          }),
          agentPool: field(z.boolean().optional(), {
            doc: "Whether the agent pool is its own; false inherits the organization's.",
            notRestored: true,
          }),
        })
        .optional(),
      { doc: "Which settings are its own, instead of the organization's.", notRestored: true },
    ),
    projectId: field(z.string().min(1).optional(), {
      doc: "The id of the project in which it is.",
      toWrite:
        "Default: the organization's default project. When it is dropped the workspace stays where it is.",
      location: "relationship",
      notRestored: true,
    }),
    sshKeyId: field(z.string().min(1).optional(), {
      doc: "The id of the SSH key with which it fetches modules.",
      toWrite: "It is managed here, or by a `WorkspaceSshKey`, and not by both.",
      location: "link",
      empty: null,
    }),
    tagNames: field(z.array(z.string().min(1)).optional(), {
      doc: "Flat tags. The service stores them in lower case.",
      toWrite:
        "The hosted service takes letters, numbers, `:`, `-` and `_`, at most 255 of them, with a letter or a number at both ends.",
      location: "link",
      additive: { unless: "exclusiveTags" },
      spelling: caseFolded,
      empty: [],
    }),
    exclusiveTags: field(z.boolean().optional(), {
      doc: "Whether the workspace shall have the tags in `tagNames` and no others: tags that others add are removed, and those that are there when it is turned on.",
      role: "steering",
      default: false,
    }),
    tagBindings: field(z.record(z.string().min(1), z.string()).optional(), {
      doc: "Key-value tags.",
      toWrite:
        "Managed whole. On a server that does not offer them, a program that writes some fails, and says so; one that writes none is no worse for it.",
      location: "link",
      document: { exact: true },
      empty: {},
    }),
    forceDelete: field(z.boolean().optional(), {
      doc: "Whether a delete goes without the check for managed resources, and although it is locked.",
      role: "steering",
      default: false,
    }),
    workspaceId: field(z.string().optional(), {
      doc: "The workspace's id, `ws-…`.",
      role: "server's",
      wire: "id",
    }),
    resourceCount: field(z.int().optional(), {
      doc: "How many resources its state held when it was last read.",
      role: "server's",
    }),
    createdAt: field(z.string().optional(), { doc: "When it was created (ISO 8601).", role: "server's" }),
    htmlUrl: field(z.string().nullish(), {
      doc: "The address of its page for people; none where the service tells of none.",
      role: "server's",
      isLater: true,
    }),
  },
  rules: workspaceRules,
  notes: workspaceNotes,
  where: place(["{workspaceId}", "{organization}/{name}"], {
    defaults: { organization: setting("organization") },
    written: ({ name }) => ({ name }),
    answered: { workspaceId: "id", name: "name", organization: "organization-id" },
  }),
  life: object({
    reads: {
      one: get(byId),
      byName: get(`${all}/{name}`),
      shows: { named: { workspaceId: "id", name: "name" } },
      at: withPage,
      imports: withoutInherited,
      gone: missingFromList,
      list: workspaceListing,
      writtenAt: updatedAt,
    },
    writes: patches({
      create: post(all),
      update: patch(byId),
      envelope: asDocument,
      completes: inheriting,
      answer: "object",
    }),
    creation: {
      existing: checksByRejection((answer) => answer.status === 409 || isTaken(answer)),
      ours: { born: "created-at" },
    },
    deletion: workspaceDeletion,
    links: workspaceLinks,
    blocked: nameTaken,
  }),
});
