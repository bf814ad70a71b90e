import type { Settings } from "../../provider/core/language/service";
import { USUAL_MOUNTS } from "../../provider/services/secrets/mounts";
import { type NeededByStack, type NeededHere, othersText, some } from "../needed";
import { notTold, ok, toDo } from "../report";
import type { Question, Questions } from "./question";
import { known, listOf, members, policies, refused } from "./reading";

/** What the secrets service is asked. */
export const secrets: Questions = {
  product: "Vault or OpenBao",
  // Whoever stands by, is sealed or new answers the same.
  reach: {
    method: "GET",
    path: "/sys/health",
    query: {
      standbycode: "200",
      perfstandbycode: "200",
      drsecondarycode: "200",
      sealedcode: "200",
      uninitcode: "200",
    },
  },
  isProduct: ({ status, json }) => status === 200 && typeof members(json).sealed === "boolean",
  list: () => ({
    of: "login enforcements",
    path: "/identity/mfa/login-enforcement",
    query: { list: "true" },
  }),
  real: () => [
    {
      what: "product",
      request: { method: "GET", path: "/sys/health", query: { standbyok: "true", perfstandbyok: "true" } },
      reads: ({ status, json }) => {
        const { version: told, initialized, sealed } = members(json);
        const name = typeof told === "string" ? `version ${told}` : "the server says no version";
        if (initialized === false) return toDo(`${name}: it is not initialized`, "Initialize it first.");
        if (sealed === true) return toDo(`${name}: it is sealed`, "Unseal it first.");
        return status === 200 ? ok(name) : notTold(`the server answers ${status} of its health`);
      },
    },
    {
      what: "token",
      request: { method: "GET", path: "/auth/token/lookup-self" },
      reads: (answer, now) => {
        if (answer.status !== 200) return refused(answer);
        const {
          policies: own,
          identity_policies: more,
          expire_time: end,
        } = members(members(answer.json).data);
        return known(`is known, with ${policies([...listOf(own), ...listOf(more)].map(String))}`, end, now);
      },
    },
  ],
  allows: (needed, settings) => {
    if (needed.rights.length === 0) return [capabilities(settings)];
    const byRealm = Map.groupBy(needed.rights, ({ realm }) => JSON.stringify(realm));
    return [...byRealm.values()].map((rights) => allowed(rights, needed));
  },
};

/** Whether the token may do all of this, which is in one realm. */
function allowed(rights: readonly NeededHere[], { resources, others }: NeededByStack): Question {
  const paths = [...new Set(rights.map(({ path }) => path))];
  return {
    what: "rights",
    request: {
      method: "POST",
      path: "/sys/capabilities-self",
      body: { paths },
      ...(rights[0] && { headers: rights[0].realm }),
    },
    reads: ({ status, json }) => {
      if (status !== 200) return notTold(`the token may not ask for its rights (${status})`);
      const told = members(members(json).data ?? json);
      const lacking = rights.filter(({ path, anyOf }) => {
        const has = listOf(told[path]);
        return !["root", ...anyOf].some((right) => has.includes(right));
      });
      const left = othersText(others)
        .map((text) => `; ${text}`)
        .join("");
      if (lacking.length === 0) return ok(`all that ${resources} of this stack's resources need${left}`);
      const lacks = lacking.map(({ anyOf, on, by }) => `${anyOf.join(" or ")} on ${on} (${some([...by])})`);
      return toDo(`lacks ${some(lacks)}${left}`, "Give a policy of the token these rights.");
    },
  };
}

/** What the token may do where the engines are mounted by these settings. */
function capabilities(settings: Settings): Question {
  const mount = (name: keyof (typeof USUAL_MOUNTS)["real"]) =>
    String(settings[name] ?? USUAL_MOUNTS.real[name]);
  const paths = [
    `${mount("queueMount")}/roles/any`,
    `${mount("cloudMount")}/roles/any`,
    `${mount("directoryMount")}/static-role/any`,
    "identity/mfa/login-enforcement/any",
  ];
  return {
    what: "rights",
    request: { method: "POST", path: "/sys/capabilities-self", body: { paths } },
    reads: ({ status, json }) => {
      if (status !== 200) return notTold(`the token may not ask for its rights (${status})`);
      const told = members(members(json).data ?? json);
      const lines = paths.map(
        (path) => `${path.slice(0, -4)}: ${listOf(told[path]).map(String).join(" ") || "deny"}`,
      );
      return ok(lines.join("; "));
    },
  };
}
