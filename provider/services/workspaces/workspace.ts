import { z } from "zod";
import { commonFields } from "../../core/language/commonFields";
import { field } from "../../core/language/facts";
import { idTemplate } from "../../core/language/id";
import type { Values } from "../../core/language/object";
import { define } from "../../core/language/resource";
import { isObject, type Json } from "../../core/value/json";
import { caseFolded, instant } from "../../core/value/spelling";
import { createdAt, errorsIn, workspaces } from "./service";
import { removeWorkspace } from "./workspaceDelete";
import { missingFromList } from "./workspaceGone";
import { bindings, workspaceLinks } from "./workspaceLinks";
import { workspaceRules } from "./workspaceRules";

const flag = (doc: string, value: boolean) => field(z.boolean().optional(), { doc, default: value });
const patterns = (doc: string) => field(z.array(z.string()).optional(), { doc, default: [] });
const text = (doc: string) => field(z.string().optional(), { doc, empty: "" });

/** A workspace (specification: Workspace and Private Registry API, Workspaces). */
export default define({
  token: "workspaces:Workspace",
  doc: "A workspace: a unit of running infrastructure managed by an infrastructure-as-code engine.",
  section: "Workspace (`type` = `workspaces`)",
  service: workspaces,
  fields: {
    ...commonFields,
    organization: field(z.string().min(1).optional(), {
      doc: "The organization. Default: the connection's.",
      role: "identity",
      place: "address",
    }),
    name: field(z.string().min(1), {
      doc: "The workspace's name, unique in its organization. Renaming changes its API and UI address; it happens in place.",
    }),
    agentPoolId: field(z.string().optional(), {
      doc: "The agent pool, of the workspace's organization. Required when `executionMode` is `agent`.",
      empty: null,
      sentWith: ["executionMode"],
    }),
    allowDestroyPlan: flag("Whether destroy plans can be queued.", true),
    assessmentsEnabled: flag(
      "Health assessments. Needs the remote execution mode, engine 0.15.4 or later and the organization's tier; the organization may enforce them.",
      false,
    ),
    autoApply: flag("Apply after a successful plan for runs started by VCS, UI or CLI.", false),
    autoApplyRunTrigger: flag("Apply after a successful plan for runs started by run triggers.", false),
    autoDestroyAt: field(z.string().optional(), {
      doc: "When the next destroy run is scheduled (ISO 8601).",
      empty: null,
      spelling: instant,
    }),
    autoDestroyActivityDuration: field(z.string().optional(), {
      doc: "Destroy after inactivity: a number greater than 0 of at most four digits, followed by `d` or `h`.",
      empty: null,
    }),
    description: text("Free text."),
    executionMode: field(z.enum(["remote", "local", "agent"]).optional(), {
      doc: "Where runs are carried out; `local` stores the state only. When it is dropped, the organization's default applies again (its overwrite is set to false).",
      // It must be given when its overwrite is set to true.
      sentWith: ["settingOverwrites"],
    }),
    fileTriggersEnabled: flag("Whether only pushes that change matching files start a run.", true),
    globalRemoteState: field(z.boolean().optional(), {
      doc: "Whether all workspaces of the organization may read this one's state. When it is dropped the value stays: administrators choose the default.",
      stays: true,
    }),
    operations: field(z.boolean().optional(), {
      doc: "Whether runs are executed remotely. False stores the state only.",
      default: true,
      sentWith: ["executionMode"],
      deprecated: "Use `executionMode`.",
    }),
    queueAllRuns: flag("Whether runs are queued immediately after creation.", false),
    sourceName: field(z.string().optional(), {
      doc: "The name of the client that creates the workspace.",
      stays: true,
    }),
    sourceUrl: field(z.string().optional(), {
      doc: "A URL of the client that creates the workspace.",
      stays: true,
    }),
    speculativeEnabled: flag("Whether automatic speculative plans are allowed.", true),
    engineVersion: field(z.string().min(1).optional(), {
      doc: "The engine's version, exact or a constraint. When it is dropped the value stays: the latest release at creation is no value to go back to.",
      stays: true,
    }),
    triggerPatterns: patterns(
      "Glob patterns of files whose change starts a run, from the root of the repository.",
    ),
    triggerPrefixes: patterns("Directories whose change starts a run, beside the working directory."),
    vcsRepo: field(
      z
        .strictObject({
          identifier: field(z.string().min(1), {
            doc: "`organization/repository`; for one VCS kind `organization/project/_git/repository`.",
          }),
          oauthTokenId: field(z.string().min(1), {
            doc: "The id of the VCS OAuth token.",
            wire: "oauth-token-id",
          }),
          branch: text("The branch; empty means the repository's default branch."),
          ingressSubmodules: flag("Fetch submodules on clone.", false),
          tagsRegex: field(z.string().optional(), {
            doc: "A regular expression on tags; a matching tag in a VCS event starts a run.",
            empty: null,
          }),
        })
        .optional(),
      {
        doc: "The VCS repository. When it is dropped the workspace is detached from it.",
        empty: null,
        sentTogether: ["identifier", "oauthTokenId"],
      },
    ),
    workingDirectory: text("The directory the engine runs in, relative to the repository's root."),
    settingOverwrites: field(
      z
        .strictObject({
          executionMode: field(z.boolean().optional(), {
            doc: "False inherits the organization's execution mode.",
            stays: true,
          }),
          agentPool: field(z.boolean().optional(), {
            doc: "False inherits the organization's agent pool.",
            stays: true,
          }),
        })
        .optional(),
      { doc: "Which settings the workspace has of its own, instead of the organization's.", stays: true },
    ),
    projectId: field(z.string().min(1).optional(), {
      doc: "The project. Default: the organization's default project. When it is dropped the workspace stays where it is.",
      place: "relationship",
      stays: true,
    }),
    sshKeyId: field(z.string().min(1).optional(), {
      doc: "The SSH key for fetching modules. It is managed here, or by a `WorkspaceSshKey`, and not by both.",
      place: "link",
      empty: null,
    }),
    tagNames: field(z.array(z.string().min(1)).optional(), {
      doc: "Flat tags: letters, numbers, `:`, `-` and `_`, at most 255 characters, a letter or a number at both ends. The service stores them in lower case.",
      place: "link",
      additive: { unless: "exclusiveTags" },
      spelling: caseFolded,
      empty: [],
    }),
    exclusiveTags: field(z.boolean().optional(), {
      doc: "Whether the workspace shall have the tags in `tagNames` and no others: tags that others add are removed.",
      role: "steering",
    }),
    tagBindings: field(z.record(z.string().min(1), z.string()).optional(), {
      doc: "Key-value tags. Managed whole. On a server that does not offer them, a program that writes some fails, and says so; one that writes none is no worse for it.",
      place: "link",
      document: { exact: true },
      empty: {},
    }),
    forceDelete: field(z.boolean().optional(), {
      doc: "Delete without the check for managed resources, and although it is locked.",
      role: "steering",
    }),
    workspaceId: field(z.string().optional(), {
      doc: "The workspace's id, `ws-…`.",
      role: "server's",
      wire: "id",
    }),
    createdAt: field(z.string().optional(), { doc: "When it was created (ISO 8601).", role: "server's" }),
  },
  rules: workspaceRules,
  id: idTemplate("{workspaceId}", "{organization}/{name}"),
  fallsBack: {
    organization: ({ settings }) =>
      typeof settings.organization === "string" ? settings.organization : undefined,
  },
  needs: ["organization"],
  addressFrom: ({ name }) => ({ name: typeof name === "string" ? name : undefined }),
  addressOf: (body) => ({
    workspaceId: String(body.id),
    name: String(body.name),
    ...(typeof body["organization-id"] === "string" && { organization: body["organization-id"] }),
  }),
  read: { method: "GET", path: "/workspaces/{workspaceId}" },
  readByName: { method: "GET", path: "/organizations/{organization}/workspaces/{name}" },
  create: { method: "POST", path: "/organizations/{organization}/workspaces" },
  update: { method: "PATCH", path: "/workspaces/{workspaceId}" },
  remove: { method: "POST", path: "/workspaces/{workspaceId}/actions/safe-delete" },
  deletes:
    "With `forceDelete` it sends `DELETE /api/v2/workspaces/{workspaceId}` instead, which asks for no managed resources and minds no lock. It refuses before it sends anything where resources are still managed, or the right is missing; and it waits, within its time, while the service says that the workspace is still being processed.",
  updates: "patch",
  answersWhole: true,
  bornAt: createdAt,
  imports: withoutInherited,
  createRefusesExisting: (answer) =>
    answer.status === 409 ||
    (answer.status === 422 && errorsIn(answer).some((words) => /already been taken/i.test(words))),
  wrap: (body) => enveloped(body),
  links: workspaceLinks,
  fills: (body, { inputs, applied }) => inheriting(body, inputs, applied),
  shows: { named: { workspaceId: "id" } },
  gone: {
    evidence:
      "it is not found by its id, and the organization's list of workspaces, which this token may read, does not hold it (the best evidence there is: the service answers 404 for what a token may not see, too)",
    proves: missingFromList,
  },
  acts: { remove: removeWorkspace },
});

/** A setting that the workspace inherits is the organization's, and no program's. */
function withoutInherited({ executionMode, agentPoolId, ...rest }: Values): Values {
  const overwrites = isObject(rest.settingOverwrites) ? rest.settingOverwrites : {};
  return {
    ...rest,
    ...(executionMode !== undefined && overwrites.executionMode !== false && { executionMode }),
    ...(agentPoolId !== undefined && overwrites.agentPool !== false && { agentPoolId }),
  };
}

/** The JSON:API document of a write. */
function enveloped({
  "project-id": project,
  "tag-bindings": tags,
  ...attributes
}: {
  [member: string]: Json;
}): Json {
  const relationships = {
    ...(project !== undefined && { project: { data: { type: "projects", id: project } } }),
    ...(tags !== undefined && { "tag-bindings": { data: bindings(tags) } }),
  };
  return {
    data: { type: "workspaces", attributes, ...(Object.keys(relationships).length > 0 && { relationships }) },
  };
}

/** A program that drops its execution mode, or its agent pool, inherits the organization's again. */
function inheriting(body: { [member: string]: Json }, inputs: Values, applied: Values) {
  const { settingOverwrites } = inputs;
  const own = isObject(settingOverwrites) ? settingOverwrites : {};
  const isDropped = (name: string) => isWritten(applied[name]) && !isWritten(inputs[name]);
  const inherited = {
    // `operations` is the older spelling of a mode: what gives one does not inherit.
    ...(isDropped("executionMode") && !isWritten(inputs.operations) && { "execution-mode": false }),
    ...(isDropped("agentPoolId") &&
      !isWritten(inputs.executionMode) &&
      !isWritten(own.agentPool) && { "agent-pool": false }),
  };
  if (Object.keys(inherited).length === 0) return body;
  const overwrites = body["setting-overwrites"];
  return { ...body, "setting-overwrites": { ...inherited, ...(isObject(overwrites) ? overwrites : {}) } };
}

function isWritten(value: Json | undefined): boolean {
  return value !== undefined && value !== null;
}
