import type { Naming } from "../../core";
import { scheduler } from "./service";

/** The sub-resources that Nomad serves below `/v1/job/<id>/`. It matches only the end of the decoded path (docs/wire.md). */
const SUB_RESOURCES = [
  "/action",
  "/actions",
  "/allocations",
  "/deployment",
  "/deployments",
  "/dispatch",
  "/dispatch/payload",
  "/evaluate",
  "/evaluations",
  "/periodic/force",
  "/plan",
  "/revert",
  "/scale",
  "/services",
  "/stable",
  "/submission",
  "/summary",
  "/tag",
  "/versions",
];

/** Rejects IDs of jobs that Nomad would register, but could no longer read or deregister. */
export const jobIdNaming: Naming = {
  problem: (id, { dialect }) => {
    if (dialect !== scheduler.dialects.real) return undefined;
    const end = SUB_RESOURCES.find((path) => id.endsWith(path));
    if (end !== undefined)
      return `must not end in ${end}: Nomad treats this ending as the path of other data, so the job could not be read or deregistered`;
    return id.includes(" ") ? "must not contain a space: Nomad rejects IDs with spaces" : undefined;
  },
};
