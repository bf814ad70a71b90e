import type { HttpResponse } from "../../../provider/core/http/request";
import { type Json, listOf } from "../../../provider/core/value/json";
import { lackingPermissions } from "../needed";
import type { Found } from "../report";
import type { Ask, PermissionsCheck, Questions } from "./question";
import { hasHeaderOf, members, namesInList, ownToken, policies, version } from "./reading";

const SELF = "/acl/token/self";

/** The checks of Nomad. */
export const scheduler: Questions = {
  product: "Nomad",
  reach: { method: "GET", path: "/status/leader" },
  identity: { method: "GET", path: "/agent/health" },
  isIdentity: (answer) => {
    if (isProduct(answer)) return true;
    const { server, client } = members(answer.json);
    if ([server, client].some((part) => typeof members(part).ok === "boolean")) return true;
    // A proxy may refuse this path to everyone.
    const isRefused = [401, 403].includes(answer.status) && answer.json === undefined;
    return isRefused || answer.status >= 500 ? undefined : false;
  },
  isProduct,
  list: ({ namespace }) => ({
    of: "jobs",
    path: "/jobs",
    query: { per_page: "1", ...(typeof namespace === "string" && { namespace }) },
  }),
  real: () => [
    ownToken(
      SELF,
      (token) =>
        token.Type === "management"
          ? "management token, which may do everything"
          : `known, with ${policies([...listOf(token.Policies).map(String), ...namesInList(token.Roles)])}`,
      (token) => token.AccessorID === "anonymous",
      // Nomad reads every value that is not a UUID as a workload identity token.
      ({ status }) =>
        status === 500 ? "A Nomad token is a UUID; the configured token is not a UUID." : undefined,
    ),
    version("/agent/self", "Nomad", (json) => members(members(members(json).config).Version).Version),
  ],
  permissions,
};

function isProduct(answer: HttpResponse): boolean {
  return hasHeaderOf("x-nomad-")(answer);
}

/**
 * Checks the policies of the token for the permissions that the stack needs. A token may read its own policies and roles.
 * @see https://developer.hashicorp.com/nomad/docs/secure/acl/policies
 */
async function permissions({
  needed,
  settings,
  ask,
}: PermissionsCheck): Promise<readonly Found[] | undefined> {
  if (needed.permissions.length === 0) return [];
  const self = await ask({ method: "GET", path: SELF });
  const token = members(self?.json);
  if (self?.status !== 200 || token.Type === "management")
    return token.Type === "management" ? [] : undefined;
  const rules = await rulesOf(token, ask);
  if (rules === undefined) return undefined;
  const lacking = needed.permissions.filter(({ anyOf, address }) => {
    const namespace = address.namespace ?? settings.namespace ?? "default";
    const may = capabilitiesIn(rules, String(namespace));
    return !anyOf.some((right) => may.has(right.replace("namespace:", "")));
  });
  return [lackingPermissions(needed, lacking, "nomad acl token self")];
}

interface NamespaceRule {
  readonly name: string;
  readonly capabilities: readonly string[];
}

/** The namespace rules of all policies of a token; undefined if one cannot be read. */
async function rulesOf(
  token: { readonly [name: string]: Json },
  ask: Ask,
): Promise<readonly NamespaceRule[] | undefined> {
  const names = new Set(listOf(token.Policies).map(String));
  for (const { ID } of listOf(token.Roles).map(members)) {
    const role = await ask({ method: "GET", path: `/acl/role/${encodeURIComponent(String(ID))}` });
    if (role?.status !== 200) return undefined;
    for (const name of namesInList(members(role.json).Policies)) names.add(name);
  }
  const rules: NamespaceRule[] = [];
  for (const name of names) {
    const policy = await ask({ method: "GET", path: `/acl/policy/${encodeURIComponent(name)}` });
    // A token may name a policy that does not exist: it allows nothing.
    if (policy?.status === 404) continue;
    const { RulesJSON } = members(policy?.json);
    if (policy?.status !== 200 || RulesJSON === undefined) return undefined;
    for (const rule of listOf(members(RulesJSON).Namespaces).map(members))
      rules.push({ name: String(rule.Name), capabilities: listOf(rule.Capabilities).map(String) });
  }
  return rules;
}

/** The capabilities in a namespace: those of its name, else of the pattern that differs from it in the fewest characters. */
function capabilitiesIn(rules: readonly NamespaceRule[], namespace: string): ReadonlySet<string> {
  const fitting = rules.filter(({ name }) => fits(name, namespace));
  const closest = Math.min(...fitting.map(({ name }) => distance(name, namespace)));
  const all = new Set(
    fitting
      .filter(({ name }) => distance(name, namespace) === closest)
      .flatMap(({ capabilities }) => capabilities),
  );
  return all.has("deny") ? new Set() : all;
}

/** An exact name is closer than any pattern; among patterns, the one with the most literal characters is the closest. */
const distance = (name: string, namespace: string) =>
  name === namespace ? -1 : namespace.length - name.replaceAll("*", "").length;

function fits(pattern: string, namespace: string): boolean {
  const [head = "", ...rest] = pattern.split("*");
  if (rest.length === 0) return pattern === namespace;
  const tail = rest.pop() ?? "";
  if (!namespace.startsWith(head)) return false;
  let from = head.length;
  for (const part of rest) {
    const at = namespace.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return namespace.length - tail.length >= from && namespace.endsWith(tail);
}
