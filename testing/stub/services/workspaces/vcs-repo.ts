import { isObject, type JsonObject, type JsonValue } from "../../json";
import type { Problem } from "./errors";
import type { Organization } from "./settings";
import type { VcsRepo } from "./world";

/** `vcs-repo`: null removes it, an object needs both required keys, and the others keep what they were. */
export function applyVcsRepo(
  before: VcsRepo | null,
  given: JsonValue | undefined,
  organization: Organization,
  problems: Problem[],
): VcsRepo | null {
  if (given === undefined) return before;
  if (given === null) return null;
  const refuse = (key: string, detail: string) =>
    problems.push({ pointer: `/data/attributes/vcs-repo${key}`, detail });
  if (!isObject(given)) {
    refuse("", "vcs-repo must be an object or null");
    return before;
  }
  const { identifier, oauthTokenId, branch, ingressSubmodules, tagsRegex } = readVcsKeys(given, problems);
  if (!identifier) refuse("/identifier", "vcs-repo.identifier is required");
  else if (!/^[^/]+\/([^/]+\/_git\/)?[^/]+$/.test(identifier)) {
    refuse("/identifier", "vcs-repo.identifier must be :org/:repo or :org/:project/_git/:repo");
  }
  if (!oauthTokenId) refuse("/oauth-token-id", "vcs-repo.oauth-token-id is required");
  else if (!Object.hasOwn(organization.oauthTokens, oauthTokenId)) {
    refuse("/oauth-token-id", "vcs-repo.oauth-token-id must be a VCS OAuth token of the organization");
  }
  return {
    identifier: identifier ?? "",
    oauthTokenId: oauthTokenId ?? "",
    branch: branch === undefined ? (before?.branch ?? "") : (branch ?? ""),
    ingressSubmodules:
      ingressSubmodules === undefined ? (before?.ingressSubmodules ?? false) : (ingressSubmodules ?? false),
    tagsRegex: tagsRegex === undefined ? (before?.tagsRegex ?? null) : tagsRegex,
  };
}

/** A VCS repository's keys are attributes too: an omitted one keeps its value. */
function readVcsKeys(value: JsonObject, problems: Problem[]): VcsKeys {
  const read = <Value extends JsonValue>(key: string, kind: string, is: (v: JsonValue) => v is Value) => {
    const given = value[key];
    if (given === undefined || given === null) return given;
    if (is(given)) return given;
    problems.push({
      pointer: `/data/attributes/vcs-repo/${key}`,
      detail: `vcs-repo.${key} must be ${kind}`,
    });
    return undefined;
  };
  return {
    identifier: read("identifier", "a string", isString),
    oauthTokenId: read("oauth-token-id", "a string", isString),
    branch: read("branch", "a string", isString),
    ingressSubmodules: read("ingress-submodules", "true or false", isBoolean),
    tagsRegex: read("tags-regex", "a string or null", isString),
  };
}

interface VcsKeys {
  readonly identifier: string | null | undefined;
  readonly oauthTokenId: string | null | undefined;
  readonly branch: string | null | undefined;
  readonly ingressSubmodules: boolean | null | undefined;
  readonly tagsRegex: string | null | undefined;
}

function isString(value: JsonValue): value is string {
  return typeof value === "string";
}

function isBoolean(value: JsonValue): value is boolean {
  return typeof value === "boolean";
}
