import {
  exclusive,
  isGiven,
  isInstant,
  isObject,
  isWritten,
  knownAmong,
  numberIn,
  type PlannedChange,
  parseRecords,
  type Rule,
  rule,
} from "../../core";
import { reaches } from "./engineVersion";

/** The rules between a workspace's attributes (specification: Workspace, the attribute table; wire facts: exclusive pairs). */
export const workspaceRules: readonly Rule[] = [
  rule(
    ["name"],
    (name) => typeof name === "string" && !/^[A-Za-z0-9_-]+$/.test(name),
    "may contain only letters, numbers, - and _",
  ),
  rule(
    ["executionMode", "operations"],
    (mode, operations) => isGiven(mode) && operations !== undefined,
    "cannot be set together with operations, which is deprecated; keep executionMode",
  ),
  rule(
    ["agentPoolId", "executionMode"],
    (pool, mode) => {
      if (mode === "agent" && !isGiven(pool)) return 'is required when executionMode is "agent"';
      return isGiven(pool) && (mode === "remote" || mode === "local")
        ? `must not be set when executionMode is ${JSON.stringify(mode)}`
        : undefined;
    },
    'is required when executionMode is "agent", and must not be set when executionMode is "remote" or "local"',
  ),
  rule(
    ["agentPoolId", "operations"],
    (pool, operations) => isGiven(pool) && operations === true,
    "must not be set when operations is true",
  ),
  rule(
    ["executionMode", "settingOverwrites.executionMode"],
    (mode, overwrite) => overwrite === true && !isGiven(mode),
    "is required when settingOverwrites.executionMode is true",
  ),
  rule(
    ["assessmentsEnabled", "executionMode"],
    (enabled, mode) => enabled === true && mode === "local",
    'requires the remote or agent execution mode, but executionMode is "local"',
  ),
  rule(
    ["assessmentsEnabled", "operations"],
    (enabled, operations) => enabled === true && operations === false,
    "requires the remote or agent execution mode, but operations is false",
  ),
  rule(
    ["assessmentsEnabled", "engineVersion"],
    (enabled, version) =>
      enabled === true && typeof version === "string" && !reaches(version, [0, 15, 4])
        ? `requires Terraform 0.15.4 or later, but engineVersion is ${JSON.stringify(version)}`
        : undefined,
    "requires Terraform 0.15.4 or later",
  ),
  exclusive(
    "triggerPrefixes",
    "triggerPatterns",
    "changed files are matched either by prefixes or by patterns",
    {
      emptiedFirst: true,
    },
  ),
  exclusive("triggerPrefixes", "vcsRepo.tagsRegex", "either changed files or tags start runs", {
    emptiedFirst: true,
  }),
  exclusive("triggerPatterns", "vcsRepo.tagsRegex", "either changed files or tags start runs", {
    emptiedFirst: true,
  }),
  exclusive(
    "autoDestroyAt",
    "autoDestroyActivityDuration",
    "a destroy run is scheduled either by time or by inactivity",
    // With a duration, the server returns the time of the next destroy run here.
    { computed: "autoDestroyAt" },
  ),
  ...(["autoDestroyAt", "autoDestroyActivityDuration"] as const).map((name) =>
    exclusive("inheritsProjectAutoDestroy", name, "the settings are the project's or the workspace's own", {
      computed: name,
    }),
  ),
  rule(
    ["projectRemoteState", "globalRemoteState"],
    (ofProject, ofOrganization) => ofProject === true && ofOrganization === true,
    "must not be true while globalRemoteState is true; keep one of the two",
  ),
  rule(
    ["autoDestroyActivityDuration"],
    (duration) =>
      typeof duration === "string" && duration !== "" && !/^(?!0+[dh]$)\d{1,4}[dh]$/.test(duration),
    "must be a number greater than 0 with at most four digits, followed by d or h",
  ),
  {
    ...rule(
      ["vcsRepo.oauthTokenId", "vcsRepo.githubAppInstallationId", "vcsRepo"],
      (token, installation, repository) => {
        if (!isWritten(repository) || isGiven(token) !== isGiven(installation)) return undefined;
        return isGiven(token)
          ? "cannot be set together with vcsRepo.githubAppInstallationId: one of them gives access to the repository"
          : "is missing: set vcsRepo.oauthTokenId or vcsRepo.githubAppInstallationId";
      },
      "set exactly one of vcsRepo.oauthTokenId and vcsRepo.githubAppInstallationId",
    ),
    asksPresence: true,
    oneOf: ["vcsRepo.oauthTokenId", "vcsRepo.githubAppInstallationId"],
    exclusive: { pair: ["vcsRepo.oauthTokenId", "vcsRepo.githubAppInstallationId"] },
  },
  rule(
    ["vcsRepo.identifier"],
    (identifier) => typeof identifier === "string" && !/^[^/]+\/./.test(identifier),
    "must have the form organization/repository (for Azure DevOps, organization/project/_git/repository)",
  ),
  rule(
    ["exclusiveTags", "tagNames"],
    (exclusively, names) => exclusively === true && names === undefined,
    "requires tagNames; write [] for a workspace without flat tags",
  ),
];

/** Preview notes about input that no table forbids, but that a server may reject or ignore. */
export function workspaceNotes(change: PlannedChange): string[] {
  const { inputs } = change;
  const { executionMode, agentPoolId, autoDestroyAt, tagNames } = inputs;
  const overwrites = isObject(inputs.settingOverwrites) ? inputs.settingOverwrites : {};
  const inherits = (name: string, key: string) =>
    `${name} has no effect while settingOverwrites.${key} is false: the workspace inherits the setting of its project or organization`;
  const tags = (Array.isArray(tagNames) ? tagNames : []).filter((name) => typeof name === "string");
  const odd = tags.filter((name) => !isFlatTag(name)).map((name) => JSON.stringify(name));
  return [
    ...replacedNotes(change),
    ...(overwrites.executionMode === false && isWritten(executionMode)
      ? [inherits("executionMode", "executionMode")]
      : []),
    ...(overwrites.agentPool === false && isWritten(agentPoolId)
      ? [inherits("agentPoolId", "agentPool")]
      : []),
    ...(typeof autoDestroyAt === "string" && autoDestroyAt !== "" && !isInstant(autoDestroyAt)
      ? [
          "autoDestroyAt is not an ISO 8601 timestamp with a time and a time zone, such as 2031-01-31T12:00:00Z",
        ]
      : []),
    ...(odd.length > 0
      ? [
          `tagNames: ${odd.join(", ")} may be rejected: HCP Terraform accepts at most 255 letters, numbers, :, - and _, with a letter or a number at both ends`,
        ]
      : []),
  ];
}

/** Preview notes about a workspace that another one replaces, and about the resources it manages according to the state. */
function replacedNotes({ replaces = [], outputs }: PlannedChange): string[] {
  const records = replaces.length > 0 ? parseRecords(outputs) : undefined;
  if (records === undefined) return [];
  const count = numberIn(knownAmong(outputs ?? {}).resourceCount) ?? 0;
  const name = JSON.stringify(records.lastApplied.name ?? records.address.workspaceId);
  const deleted = `workspace ${name} will be deleted and replaced (${replaces.join(", ")})`;
  if (count === 0) return [deleted];
  const managed = `the workspace managed ${count} resource${count === 1 ? "" : "s"} when it was last read`;
  return records.lastApplied.forceDelete === true
    ? [`${deleted}; ${managed}, which are left behind (forceDelete)`]
    : [
        `${deleted}; ${managed}, and the delete is refused while any resource remains: destroy the resources first, or set forceDelete: true`,
      ];
}

/** True for text in the format of a flat tag (docs/wire.md). The server converts tags to lower case. */
function isFlatTag(name: string): boolean {
  return name.length <= 255 && /^[a-z0-9]([a-z0-9_:-]*[a-z0-9])?$/i.test(name);
}
