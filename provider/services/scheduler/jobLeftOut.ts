import { leavingOut } from "../../core";
import { jobSpec } from "./spec/job";

/** The `Connect` blocks of services, in groups and in tasks. */
const CONNECTS = ["TaskGroups.*.Services.*.Connect", "TaskGroups.*.Tasks.*.Services.*.Connect"];

const typed = leavingOut(jobSpec, "pascal");

/**
 * The meaning of omitted job members: Nomad stores an empty value for them, and its parser fills in a few. Combines the
 * facts of the typed `spec` with those of members that `spec` does not have.
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
