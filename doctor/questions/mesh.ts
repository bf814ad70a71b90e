import type { Questions } from "./question";
import { members, namesIn, ownToken, policies, version } from "./reading";

/** What the mesh service is asked. */
export const mesh: Questions = {
  product: "Consul",
  reach: { method: "GET", path: "/status/leader" },
  isProduct: (answer) => Object.keys(answer.headers).some((name) => name.startsWith("x-consul-")),
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
      (token) => `is known, with ${policies([...namesIn(token.Policies), ...namesIn(token.Roles)])}`,
    ),
    version("/agent/self", "Consul", (json) => members(members(json).Config).Version),
  ],
};
