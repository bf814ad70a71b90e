import { serverError } from "./errors";
import type { Switches } from "./settings";

/** Throws a 500 if an agent in another datacenter writes `exported-services` without naming the primary datacenter. */
export function requirePrimary(
  kind: string,
  target: string,
  { datacenter, primaryDatacenter: primary }: Pick<Switches, "datacenter" | "primaryDatacenter">,
): void {
  if (kind !== "exported-services" || primary === "") return;
  if (target === "" && datacenter !== primary) throw serverError(MUST_NAME);
  if (target !== "" && target !== primary) throw serverError(MUST_NOT_NAME);
}

const MUST_NAME =
  "exported-services writes in secondary datacenters must target the primary datacenter explicitly.";
const MUST_NOT_NAME = "exported-services writes must not target secondary datacenters.";
