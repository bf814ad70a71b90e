import type { Questions } from "./question";
import { hasHeader, listOf, members, namesIn, ownToken, policies, version } from "./reading";

/** What the scheduler service is asked. */
export const scheduler: Questions = {
  product: "Nomad",
  reach: { method: "GET", path: "/status/leader" },
  isProduct: hasHeader("x-nomad-index"),
  list: ({ namespace }) => ({
    of: "jobs",
    path: "/jobs",
    query: { per_page: "1", ...(typeof namespace === "string" && { namespace }) },
  }),
  real: () => [
    ownToken("/acl/token/self", (token) =>
      token.Type === "management"
        ? "is a management token, which may do everything"
        : `is known, with ${policies([...listOf(token.Policies).map(String), ...namesIn(token.Roles)])}`,
    ),
    version("/agent/self", "Nomad", (json) => members(members(members(json).config).Version).Version),
  ],
};
