import { leavingOut } from "../../core";
import { jobSpec } from "./spec/job";

/** The services of a job, of its groups and of their tasks. */
const CONNECTS = ["TaskGroups.*.Services.*.Connect", "TaskGroups.*.Tasks.*.Services.*.Connect"];

const typed = leavingOut(jobSpec, "pascal");

/**
 * What leaving out a member of a job comes to: the service's own documents hold an empty value in its place, and its
 * parser fills a few of them in. What the typed `spec` says of its members, and the same of those that it does not have.
 */
export const jobLeftOut = {
  leftOut: typed.leftOut,
  empties: [
    ...typed.empties,
    // The older name of `Paths`.
    ...CONNECTS.map((connect) => `${connect}.SidecarService.Proxy.Expose.Path.*.*`),
    "Dispatched",
  ],
};
