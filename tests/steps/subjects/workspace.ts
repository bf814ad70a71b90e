import fc from "fast-check";
import type { Values } from "../../../provider/core/language/object";
import { brokenRules } from "../../../provider/core/language/rules";
import { parseRecords } from "../../../provider/core/state/records";
import type { Json } from "../../../provider/core/value/json";
import { bindings } from "../../../provider/services/workspaces/tagBindings";
import workspace from "../../../provider/services/workspaces/workspace";
import { WorkspacesService } from "../../../testing/stub/services/workspaces/service";
import { switchesFor } from "../../dialect";
import { expectAccepted, RejectedRequest } from "../rejectedRequest";
import type { Resource } from "../resource";
import type { Edit, Subject } from "../subject";
import { World } from "../world";
import { maybe } from "./arbitraries";

const OWNER = "owner";
const SEED = {
  tokens: { [OWNER]: { user: "olga", organizations: { acme: ["owners"] } } },
  organizations: { acme: {} },
};
const headers = { authorization: `Bearer ${OWNER}`, "content-type": "application/vnd.api+json" };

const words = fc.constantFrom("one", "two words", "three", "");
const globs = fc.uniqueArray(fc.constantFrom("/a/**", "/b/*.tf", "/c"), { maxLength: 2 });

/** Repositories with one of the two types of access. */
const repositories = fc
  .record(
    {
      identifier: fc.constantFrom("acme/app", "acme/other"),
      branch: maybe(fc.constantFrom("main", "next", "")),
      ingressSubmodules: maybe(fc.boolean()),
      tagsRegex: maybe(fc.constantFrom("^v", "^release-")),
      way: fc.constantFrom({ oauthTokenId: "ot-code" }, { githubAppInstallationId: "ghain-code" }),
    },
    { requiredKeys: ["identifier", "way"] },
  )
  .map(({ way, ...repository }) => ({ ...repository, ...way }));

const programs = fc
  .record(
    {
      name: fc.constant("app"),
      agentPoolId: maybe(fc.constantFrom("apool-general", "apool-large")),
      allowDestroyPlan: maybe(fc.boolean()),
      assessmentsEnabled: maybe(fc.boolean()),
      autoApply: maybe(fc.boolean()),
      autoApplyRunTrigger: maybe(fc.boolean()),
      autoDestroyAt: maybe(fc.constantFrom("2031-01-01T00:00:00Z", "2031-01-01T01:00:00+01:00")),
      autoDestroyActivityDuration: maybe(fc.constantFrom("14d", "12h")),
      description: maybe(words),
      executionMode: maybe(fc.constantFrom("remote", "local", "agent")),
      fileTriggersEnabled: maybe(fc.boolean()),
      globalRemoteState: maybe(fc.boolean()),
      operations: maybe(fc.boolean()),
      hyokEnabled: maybe(fc.constant(true)),
      inheritsProjectAutoDestroy: maybe(fc.boolean()),
      projectRemoteState: maybe(fc.boolean()),
      structuredRunOutputEnabled: maybe(fc.boolean()),
      queueAllRuns: maybe(fc.boolean()),
      speculativeEnabled: maybe(fc.boolean()),
      engineVersion: maybe(fc.constantFrom("1.9.8", "0.15.4", "~> 1.8.0")),
      triggerPatterns: maybe(globs),
      triggerPrefixes: maybe(globs),
      vcsRepo: maybe(repositories),
      workingDirectory: maybe(words),
      settingOverwrites: maybe(fc.constantFrom({ executionMode: true }, { agentPool: true })),
      projectId: maybe(fc.constantFrom("prj-default", "prj-platform")),
      sshKeyId: maybe(fc.constantFrom("sshkey-deploy", "sshkey-modules")),
      tagNames: maybe(fc.uniqueArray(fc.constantFrom("team:web", "prod", "Cost"), { maxLength: 3 })),
      exclusiveTags: maybe(fc.boolean()),
      tagBindings: maybe(
        fc.dictionary(fc.constantFrom("env", "owner"), fc.constantFrom("a", "b"), { maxKeys: 2 }),
      ),
    },
    { requiredKeys: ["name"] },
  )
  .map(withoutUndefined)
  // If a program sets a pool without a mode, the valid modes depend on the organization.
  .filter(({ agentPoolId, executionMode }) => agentPoolId === undefined || executionMode !== undefined)
  // The server may allow all workspaces of the organization, which excludes those of the project.
  .map((inputs) => (inputs.projectRemoteState === true ? { ...inputs, globalRemoteState: false } : inputs))
  .filter((inputs) => brokenRules(workspace.rules ?? [], inputs).length === 0);

function withoutUndefined(value: object): Values {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      if (member === undefined) return [];
      const isBag = typeof member === "object" && member !== null && !Array.isArray(member);
      return [[name, isBag ? withoutUndefined(member) : member]];
    }),
  );
}

/** Properties that the service rejects together with others, even if two programs set them. */
const unpaired = [
  "executionMode",
  "operations",
  "settingOverwrites",
  "agentPoolId",
  "assessmentsEnabled",
  "autoDestroyAt",
  "inheritsProjectAutoDestroy",
  "projectRemoteState",
  "triggerPatterns",
  "vcsRepo",
];

const attributes: Readonly<Record<string, string>> = {
  allowDestroyPlan: "allow-destroy-plan",
  autoApply: "auto-apply",
  description: "description",
  queueAllRuns: "queue-all-runs",
  workingDirectory: "working-directory",
  speculativeEnabled: "speculative-enabled",
  fileTriggersEnabled: "file-triggers-enabled",
  hyokEnabled: "hyok-enabled",
  inheritsProjectAutoDestroy: "inherits-project-auto-destroy",
  structuredRunOutputEnabled: "structured-run-output-enabled",
  engineVersion: "engine-version",
  name: "name",
};

/** The attributes of an edit. The server rejects `global-remote-state` together with `project-remote-state`. */
function edited(property: string, value: Json): Values {
  if (property === "globalRemoteState")
    return { "global-remote-state": value, ...(value === true && { "project-remote-state": false }) };
  return { [attributes[property] ?? ""]: value };
}

/** The request that applies an edit. */
function request(property: string, value: Json): [method: string, at: string, data: Json] {
  if (property === "tagNames") return ["POST", "/relationships/tags", (value as string[]).map(tag)];
  if (property === "sshKeyId")
    return ["PATCH", "/relationships/ssh-key", { type: "workspaces", attributes: { id: value } }];
  if (property === "tagBindings") return ["PATCH", "/tag-bindings", bindings(value)];
  return ["PATCH", "", { type: "workspaces", attributes: edited(property, value) as Json }];
}

function tag(name: string): Json {
  return { type: "tags", attributes: { name } };
}

/** The path by the state, or by the name if the state contains no workspace. */
async function path(world: World, { outputs }: Resource): Promise<string> {
  const known = parseRecords(outputs)?.address.workspaceId;
  if (known !== undefined) return `/api/v2/workspaces/${known}`;
  const { status, json } = await world.send(
    "GET",
    "/api/v2/organizations/acme/workspaces/app",
    undefined,
    headers,
  );
  if (status !== 200) throw new RejectedRequest(404, "there is none");
  // The stub answers a JSON:API document.
  return `/api/v2/workspaces/${(json as { data: { id: string } }).data.id}`;
}

/** The workspace `app` of the organization `acme`. */
export const workspaceSubject: Subject = {
  definition: workspace,
  stories: 1000,
  async world() {
    const stub = new WorkspacesService({ seed: SEED, switches: switchesFor(workspace) });
    return new World(stub, workspace, { token: OWNER, organization: "acme" });
  },
  programs,
  compatible: programs.map((program) =>
    Object.fromEntries(Object.entries(program).filter(([name]) => !unpaired.includes(name))),
  ),
  edits: fc.oneof<fc.Arbitrary<Edit>[]>(
    fc.record({
      property: fc.constantFrom(
        "allowDestroyPlan",
        "autoApply",
        "queueAllRuns",
        "speculativeEnabled",
        "fileTriggersEnabled",
        "globalRemoteState",
        "inheritsProjectAutoDestroy",
        "structuredRunOutputEnabled",
      ),
      value: fc.boolean(),
    }),
    fc.record({ property: fc.constant("hyokEnabled"), value: fc.constant(true) }),
    fc.record({ property: fc.constantFrom("description", "workingDirectory"), value: words }),
    fc.record({ property: fc.constant("name"), value: fc.constantFrom("app", "renamed") }),
    fc.record({ property: fc.constant("engineVersion"), value: fc.constantFrom("1.9.8", "1.7.0") }),
    fc.record({
      property: fc.constant("sshKeyId"),
      value: fc.constantFrom("sshkey-deploy", "sshkey-modules"),
    }),
    fc.record({
      property: fc.constant("tagBindings"),
      value: fc.constantFrom<Json[]>({ env: "c" }, { cost: "1" }, {}),
    }),
    fc.record({ property: fc.constant("tagNames"), value: fc.constantFrom(["others"], ["prod", "others"]) }),
  ),
  async edit(world, resource, { property, value }) {
    const [method, at, data] = request(property, value);
    const answer = await world.send(method, `${await path(world, resource)}${at}`, { data }, headers);
    expectAccepted(answer);
  },
  async takeAway(world, resource) {
    const answer = await world.send("DELETE", await path(world, resource), undefined, headers);
    expectAccepted(answer);
  },
  createTakes: ({ sshKeyId, tagNames, tagBindings }) => {
    const tags = Array.isArray(tagNames) && tagNames.length > 0 ? ["POST"] : [];
    const later = [...(sshKeyId === undefined ? [] : ["PATCH"]), ...tags];
    return [
      "POST",
      ...later,
      ...(later.length > 0 ? ["GET"] : []),
      ...(tagBindings === undefined ? [] : ["GET"]),
    ];
  },
  refreshTakes: ({ tagBindings }) => (tagBindings === undefined ? 1 : 2),
};
