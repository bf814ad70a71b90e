import type { HttpResponse } from "../../../provider/core/http/request";
import type { Settings } from "../../../provider/core/language/service";
import { listOf } from "../../../provider/core/value/json";
import { USUAL_MOUNTS } from "../../../provider/services/secrets/mounts";
import { lackingPermissions, type NeededByStack, type NeededHere } from "../needed";
import { type Found, fail, ok, skip, warn } from "../report";
import type { Ask, Circumstances, Questions } from "./question";
import { isNotOffered, members, missing, NO_LOOKUP, policies, validToken, wordsOf } from "./reading";

/** With these parameters every server returns 200: active or standby, sealed or new. */
const HEALTH = {
  method: "GET",
  path: "/sys/health",
  query: {
    standbycode: "200",
    perfstandbycode: "200",
    drsecondarycode: "200",
    sealedcode: "200",
    uninitcode: "200",
  },
} as const;

const isHealth = ({ json }: HttpResponse) => typeof members(json).sealed === "boolean";

/** The checks of Vault and OpenBao. */
export const secrets: Questions = {
  product: "Vault or OpenBao",
  reach: HEALTH,
  isIdentity: (answer) => isHealth(answer) || (answer.status >= 500 ? undefined : false),
  isProduct: (answer) => answer.status === 200 && isHealth(answer),
  list: () => ({
    of: "login enforcements",
    path: "/identity/mfa/login-enforcement",
    query: { list: "true" },
  }),
  real: () => [
    {
      what: "version",
      request: { method: "GET", path: "/sys/health", query: { standbyok: "true", perfstandbyok: "true" } },
      reads: ({ status, json }) => {
        const { version, initialized, sealed } = members(json);
        const name = typeof version === "string" ? `version ${version}` : "the server shows no version";
        const inOpenBao = (command: string) => `OpenBao: bao operator ${command}.`;
        if (initialized === false)
          return fail(`${name}: not initialized`, "vault operator init", inOpenBao("init"));
        if (sealed === true) return fail(`${name}: sealed`, "vault operator unseal", inOpenBao("unseal"));
        return status === 200 ? ok(name) : skip(`the server answers ${status} when asked about its health`);
      },
    },
    {
      what: "token",
      request: { method: "GET", path: "/auth/token/lookup-self" },
      reads: ownToken,
    },
  ],
  permissions: async ({ needed, settings, ask }) => {
    if (needed.permissions.length === 0) return [await capabilities(settings, ask)];
    const byRealm = Map.groupBy(needed.permissions, ({ realm }) => JSON.stringify(realm));
    return Promise.all(
      [...byRealm.values()].map((permissions) => checkPermissions(permissions, needed, ask)),
    );
  },
};

function ownToken(answer: HttpResponse, { now, hasToken, isListShown, setToken }: Circumstances): Found {
  if (answer.status === 200) {
    const { policies: own, identity_policies: more, expire_time: end } = members(members(answer.json).data);
    return validToken(`known, with ${policies([...listOf(own), ...listOf(more)].map(String))}`, end, now);
  }
  if (isNotOffered(answer)) return NO_LOOKUP;
  if (!hasToken) return missing(setToken);
  // The policy "default" grants the permission to look up the own token, but a token may lack it.
  if (answer.status === 403 && (isListShown || isKnownToken(answer)))
    return warn("valid, but the token may not look itself up");
  return fail(`refused: ${wordsOf(answer)}`, setToken, "Set a token that this server knows.");
}

/** Checks these permissions, which are all in one namespace. */
async function checkPermissions(
  permissions: readonly NeededHere[],
  needed: NeededByStack,
  ask: Ask,
): Promise<Found> {
  const paths = [...new Set(permissions.map(({ path }) => path))];
  const answer = await ask({
    method: "POST",
    path: "/sys/capabilities-self",
    body: { paths },
    ...(permissions[0] && { headers: permissions[0].realm }),
  });
  if (answer?.status !== 200) return withoutCapabilities(answer);
  const granted = members(members(answer.json).data ?? answer.json);
  const lacking = permissions.filter(({ path, anyOf }) => {
    const has = listOf(granted[path]);
    return !["root", ...anyOf].some((right) => has.includes(right));
  });
  return lackingPermissions(needed, lacking, `vault token capabilities ${lacking[0]?.path ?? paths[0]}`);
}

function withoutCapabilities(answer: HttpResponse | undefined): Found {
  return answer && isNotOffered(answer)
    ? skip("the server has no endpoint sys/capabilities-self")
    : skip("the token may not ask for its permissions (sys/capabilities-self)");
}

/** The token's capabilities at the mounts of these settings. */
async function capabilities(settings: Settings, ask: Ask): Promise<Found> {
  const mount = (name: keyof (typeof USUAL_MOUNTS)["real"]) =>
    String(settings[name] ?? USUAL_MOUNTS.real[name]);
  const paths = [
    `${mount("queueMount")}/roles/any`,
    `${mount("cloudMount")}/roles/any`,
    `${mount("directoryMount")}/static-role/any`,
    "identity/mfa/login-enforcement/any",
  ];
  const answer = await ask({ method: "POST", path: "/sys/capabilities-self", body: { paths } });
  if (answer?.status !== 200) return withoutCapabilities(answer);
  const granted = members(members(answer.json).data ?? answer.json);
  const lines = paths.map(
    (path) => `${path.slice(0, -4)}: ${listOf(granted[path]).map(String).join(" ") || "deny"}`,
  );
  return ok(lines.join("; "));
}

/**
 * True if a 403 is about the permissions of a known token. OpenBao answers an unknown token with the bare message, Vault with
 * "invalid token" (Vault: Tokens, "Error Responses").
 */
function isKnownToken(answer: HttpResponse): boolean {
  const errors = listOf(members(answer.json).errors).map(String);
  return errors.some((error) => error.startsWith("1 error occurred:") && error.includes("permission denied"));
}
