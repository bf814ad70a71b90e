import { isObject, type JsonObject, type JsonValue } from "../../json";
import type { Problem } from "./errors";
import type { Organization } from "./settings";
import type { VcsRepo } from "./world";

/** The organization and the caller of a repository lookup, and the list that collects its problems. */
interface Asking {
  readonly organization: Organization;
  /** True if the token is a user's. */
  readonly isUser: boolean;
  readonly problems: Problem[];
}

/**
 * Applies `vcs-repo`: null removes it. An object needs the identifier and one kind of access to the repository; its other
 * keys keep their values when omitted.
 */
export function applyVcsRepo(
  before: VcsRepo | null,
  given: JsonValue | undefined,
  asking: Asking,
): VcsRepo | null {
  const { problems } = asking;
  if (given === undefined) return before;
  if (given === null) return null;
  const refuse = (key: string, detail: string) =>
    problems.push({ pointer: `/data/attributes/vcs-repo${key}`, detail });
  if (!isObject(given)) {
    refuse("", "vcs-repo must be an object or null");
    return before;
  }
  const keys = readVcsKeys(given, problems);
  const { identifier, oauthTokenId, githubAppInstallationId, branch, ingressSubmodules, tagsRegex } = keys;
  if (!identifier) refuse("/identifier", "vcs-repo.identifier is required");
  else if (!/^[^/]+\/([^/]+\/_git\/)?[^/]+$/.test(identifier)) {
    refuse("/identifier", "vcs-repo.identifier must be :org/:repo or :org/:project/_git/:repo");
  }
  for (const [key, detail] of problemsOfWay(keys, asking)) refuse(key, detail);
  return {
    identifier: identifier ?? "",
    oauthTokenId: oauthTokenId || null,
    githubAppInstallationId: githubAppInstallationId || null,
    branch: branch === undefined ? (before?.branch ?? "") : (branch ?? ""),
    ingressSubmodules:
      ingressSubmodules === undefined ? (before?.ingressSubmodules ?? false) : (ingressSubmodules ?? false),
    tagsRegex: tagsRegex === undefined ? (before?.tagsRegex ?? null) : tagsRegex,
  };
}

/**
 * HCP Terraform accepts either an OAuth token or an installation of its GitHub App; the specification has only the former.
 */
function* problemsOfWay(
  { oauthTokenId, githubAppInstallationId }: VcsKeys,
  { organization, isUser }: Asking,
): Generator<readonly [key: string, detail: string]> {
  if (!githubAppInstallationId) {
    if (!oauthTokenId) yield ["/oauth-token-id", "vcs-repo.oauth-token-id is required"];
    else if (!Object.hasOwn(organization.oauthTokens, oauthTokenId))
      yield ["/oauth-token-id", "vcs-repo.oauth-token-id must be a VCS OAuth token of the organization"];
  } else if (oauthTokenId) {
    yield [
      "/github-app-installation-id",
      "vcs-repo.github-app-installation-id cannot be given with oauth-token-id",
    ];
  } else if (!isUser || !organization.githubAppInstallations.includes(githubAppInstallationId)) {
    yield ["/identifier", "Repository doesn't exist or isn't accessible"];
  }
}

/** Reads a VCS repository's keys, which are attributes too: an omitted one keeps its value. */
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
    githubAppInstallationId: read("github-app-installation-id", "a string", isString),
    branch: read("branch", "a string", isString),
    ingressSubmodules: read("ingress-submodules", "true or false", isBoolean),
    tagsRegex: read("tags-regex", "a string or null", isString),
  };
}

interface VcsKeys {
  readonly identifier: string | null | undefined;
  readonly oauthTokenId: string | null | undefined;
  readonly githubAppInstallationId: string | null | undefined;
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
