import type { HttpResponse } from "../../../provider/core/http/request";
import { type Found, fail, ok, skip } from "../report";
import type { PermissionsCheck, Question, Questions } from "./question";
import { hasHeader, isNotOffered, members, NO_LOOKUP, rejectedToken, wordsOf } from "./reading";

const isProduct = (answer: HttpResponse) =>
  hasHeader("tfp-api-version")(answer) || hasHeader("x-tfe-version")(answer);

/** The checks of HCP Terraform and Terraform Enterprise. */
export const workspaces: Questions = {
  product: "HCP Terraform or Terraform Enterprise",
  reach: { method: "GET", path: "/ping" },
  isIdentity: (answer) =>
    isProduct(answer) || (answer.status < 300 || answer.status >= 500 ? undefined : false),
  isProduct,
  list: ({ organization }) =>
    typeof organization === "string"
      ? {
          of: `the workspaces of ${organization}`,
          path: `/organizations/${encodeURIComponent(organization)}/workspaces`,
          query: { "page[size]": "1" },
        }
      : "no organization is set, so no list was read",
  real: ({ organization }) => [
    {
      what: "token",
      request: { method: "GET", path: "/account/details" },
      reads: (answer, circumstances) => {
        if (isNotOffered(answer)) return NO_LOOKUP;
        if (answer.status !== 200) return rejectedToken(answer, circumstances);
        const { username } = members(members(members(answer.json).data).attributes);
        return ok(typeof username === "string" ? `that of ${username}` : "known");
      },
    },
    ...(typeof organization === "string" ? [permissionsIn(organization)] : []),
    {
      what: "version",
      request: { method: "GET", path: "/ping" },
      reads: ({ headers }) => {
        const [name, own] = [headers["tfp-appname"], headers["x-tfe-version"]];
        if (name === undefined && own === undefined) return skip("the server does not identify itself");
        return ok([name, own].filter((part) => part !== undefined).join(" "));
      },
    },
  ],
  permissions,
};

function permissionsIn(organization: string): Question {
  return {
    what: "permissions",
    request: { method: "GET", path: `/organizations/${encodeURIComponent(organization)}` },
    reads: (answer, { setToken }) => {
      if (answer.status !== 200) {
        const advice = "Check the organization's name and the token's team.";
        return fail(`the organization ${organization} is not shown: ${wordsOf(answer)}`, setToken, advice);
      }
      const { permissions } = members(members(members(answer.json).data).attributes);
      const own = Object.entries(members(permissions)).flatMap(([name, may]) => (may === true ? [name] : []));
      const ours = own.filter((name) => /workspace|module|provider/.test(name));
      return ok(`in ${organization}: ${ours.join(", ") || "none on workspaces or the registry"}`);
    },
  };
}

/** The maximum number of workspaces to check. */
const MOST_ASKED = 20;

/** Each workspace lists the token's permissions on it. */
async function permissions({
  needed,
  settings,
  ask,
}: PermissionsCheck): Promise<readonly Found[] | undefined> {
  const ids = [...new Set(needed.permissions.flatMap(({ address }) => address.workspaceId ?? []))];
  const lacking: string[] = [];
  for (const id of ids.slice(0, MOST_ASKED)) {
    const answer = await ask({ method: "GET", path: `/workspaces/${encodeURIComponent(id)}` });
    if (answer === undefined || answer.status >= 500) return undefined;
    const { permissions } = members(members(members(answer.json).data).attributes);
    if (answer.status !== 200 || members(permissions)["can-update"] === false) lacking.push(id);
  }
  if (lacking.length === 0) return undefined;
  const advice = "Give the token's team the permission admin on these workspaces.";
  const command = `curl -sS -H "Authorization: Bearer $TFE_TOKEN" ${settings.address}/api/v2/workspaces/${lacking[0]}`;
  return [fail(`the token may not update ${lacking.join(", ")}`, command, advice)];
}
