import { listOf } from "../../../provider/core/value/json";
import { lackingPermissions, type NeededHere } from "../needed";
import type { Questions } from "./question";
import { hasHeaderOf, members, namesInList, ownToken, policies, version } from "./reading";

/** The ID of the token that Consul uses for requests without one. */
const ANONYMOUS = "00000000-0000-0000-0000-000000000002";

/** How many permissions Consul checks in one request. */
const MOST_ASKED = 64;

/** The checks of Consul. */
export const mesh: Questions = {
  product: "Consul",
  reach: { method: "GET", path: "/status/leader" },
  isProduct: hasHeaderOf("x-consul-"),
  // The response, the leader's address as a string, does not look like Consul's.
  isIdentity: (answer) => {
    if (hasHeaderOf("x-consul-")(answer)) return true;
    return typeof answer.json === "string" || answer.status >= 500 ? undefined : false;
  },
  list: ({ datacenter, namespace, partition }) => ({
    of: "entries",
    path: "/config/service-defaults",
    query: {
      ...(typeof datacenter === "string" && { dc: datacenter }),
      ...(typeof namespace === "string" && { ns: namespace }),
      ...(typeof partition === "string" && { partition }),
    },
  }),
  real: () => [
    ownToken(
      "/acl/token/self",
      (token) => `known, with ${policies([...namesInList(token.Policies), ...namesInList(token.Roles)])}`,
      (token) => token.AccessorID === ANONYMOUS,
    ),
    version("/agent/self", "Consul", (json) => members(members(json).Config).Version),
  ],
  /** Consul's own pages use this request to check a token's permissions; it needs no permission. */
  permissions: async ({ needed, settings, ask }) => {
    if (needed.permissions.length === 0) return [];
    const wanted = needed.permissions.map((right) => ({
      right,
      asked: right.anyOf.map((of) => asAsked(of, right)),
    }));
    const all = wanted.flatMap(({ asked }) => asked);
    const { datacenter } = settings;
    const allowed: boolean[] = [];
    for (let from = 0; from < all.length; from += MOST_ASKED) {
      const body = all.slice(from, from + MOST_ASKED);
      const answer = await ask({
        method: "POST",
        path: "/internal/acl/authorize",
        body,
        ...(typeof datacenter === "string" && { query: { dc: datacenter } }),
      });
      const verdicts = listOf(answer?.json);
      if (answer?.status !== 200 || verdicts.length !== body.length) return undefined;
      allowed.push(...verdicts.map((verdict) => members(verdict).Allow === true));
    }
    let at = 0;
    const lacking = wanted.flatMap(({ right, asked }) => {
      const own = allowed.slice(at, at + asked.length);
      at += asked.length;
      return own.some(Boolean) ? [] : [right];
    });
    return [lackingPermissions(needed, lacking, "consul acl token read -self -expanded")];
  },
};

/** `service:write` on a name in the format of Consul's request. */
function asAsked(right: string, { address }: NeededHere) {
  const [resource = "", access = ""] = right.split(":");
  const { name = "" } = address;
  // The resource is named differently in policies.
  const called = resource === "intentions" ? "intention" : resource;
  return { Resource: called, Access: access, ...(NAMED.has(called) && { Segment: name }) };
}

/** Resources whose permissions are given by name. */
const NAMED = new Set(["service", "intention"]);
