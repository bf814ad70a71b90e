import { notTold, ok, toDo } from "../report";
import type { Question, Questions } from "./question";
import { hasHeader, members, refused } from "./reading";

/** What the workspaces service is asked. */
export const workspaces: Questions = {
  product: "HCP Terraform or Terraform Enterprise",
  reach: { method: "GET", path: "/ping" },
  isProduct: (answer) => hasHeader("tfp-api-version")(answer) || hasHeader("x-tfe-version")(answer),
  list: ({ organization }) =>
    typeof organization === "string"
      ? {
          of: `the workspaces of ${organization}`,
          path: `/organizations/${encodeURIComponent(organization)}/workspaces`,
          query: { "page[size]": "1" },
        }
      : "no organization is set, so nothing was asked",
  real: ({ organization }) => [
    {
      what: "token",
      request: { method: "GET", path: "/account/details" },
      reads: (answer) => {
        if (answer.status !== 200) return refused(answer);
        const { username } = members(members(members(answer.json).data).attributes);
        return ok(typeof username === "string" ? `is that of ${username}` : "is known");
      },
    },
    ...(typeof organization === "string" ? [rightsIn(organization)] : []),
    {
      what: "product",
      request: { method: "GET", path: "/ping" },
      reads: ({ headers }) => {
        const [name, own] = [headers["tfp-appname"], headers["x-tfe-version"]];
        if (name === undefined && own === undefined) return notTold("the server does not say what it is");
        return ok([name, own].filter((part) => part !== undefined).join(" "));
      },
    },
  ],
};

function rightsIn(organization: string): Question {
  return {
    what: "rights",
    request: { method: "GET", path: `/organizations/${encodeURIComponent(organization)}` },
    reads: ({ status, json }) => {
      const { permissions } = members(members(members(json).data).attributes);
      if (status !== 200)
        return toDo(
          `the organization ${organization} is not shown (${status})`,
          "Check its name, and the token's team.",
        );
      const own = Object.entries(members(permissions)).flatMap(([name, may]) => (may === true ? [name] : []));
      const ours = own.filter((name) => /workspace|module|provider/.test(name));
      return ok(`in ${organization}: ${ours.join(", ") || "nothing of workspaces or the registry"}`);
    },
  };
}
