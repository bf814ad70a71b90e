import { makeUrn } from "../../state/urn";
import { Bailed } from "../operation/bailed";
import type { Goal } from "../program/goal";
import type { Deployment } from "./deployment";

/** The URN of a registered resource; a duplicate is refused. */
export function claimUrn(
  { options, marks, diagnostics }: Deployment,
  { parent, type, name }: Pick<Goal, "type" | "name" | "parent">,
): string {
  if (parent !== undefined && !marks.urns.has(parent)) {
    throw new Error(`could not find parent resource ${parent}`);
  }
  const urn = makeUrn({ stack: options.stack, project: options.project, parent, type, name });
  if (marks.urns.has(urn)) {
    const message = `Duplicate resource URN '${urn}'; try giving it a unique name`;
    diagnostics.error(message, urn);
    throw new Bailed(message);
  }
  marks.urns.add(urn);
  return urn;
}
