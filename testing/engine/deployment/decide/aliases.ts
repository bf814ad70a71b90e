import { isStack, makeUrn, nameOf, typeOf } from "../../state/urn";
import type { Alias, Goal } from "../program/goal";
import type { Entry } from "../record/entry";
import type { Deployment } from "./deployment";

/** The resource in the state that a goal refers to, found by its URN or by its first alias that exists. */
export interface Found {
  readonly old?: Entry;
  readonly alias?: string | undefined;
  /** False if two resources claim the same old resource; this has been reported. */
  readonly valid: boolean;
}

export function findOld(
  deployment: Deployment,
  urn: string,
  goal: Pick<Goal, "name" | "type" | "parent" | "aliases">,
): Found {
  const { diagnostics, ledger, marks } = deployment;
  let valid = true;
  const claimed = marks.renamed.get(urn);
  if (claimed !== undefined) {
    valid = false;
    diagnostics.error(
      `Duplicate resource URN '${urn}' conflicting with alias on resource with URN '${claimed}'`,
      urn,
    );
  }
  for (const name of [urn, ...aliasesOf(deployment, goal)]) {
    const old = ledger.base.get(name);
    if (!old) continue;
    if (name === urn) return { old, valid };
    for (const other of [marks.urns.has(name) ? urn : undefined, marks.renamed.get(name)]) {
      if (other === undefined) continue;
      valid = false;
      diagnostics.error(
        `Duplicate resource alias '${name}' applied to resource with URN '${urn}' ` +
          `conflicting with resource with URN '${other}'`,
        urn,
      );
    }
    marks.renamed.set(name, urn);
    marks.formerly.set(urn, name);
    return { old, alias: name, valid };
  }
  return { valid };
}

/** The goal's own aliases, and the aliases inherited from its parent. */
function aliasesOf(
  deployment: Deployment,
  goal: Pick<Goal, "name" | "type" | "parent" | "aliases">,
): Set<string> {
  const own = goal.aliases.map((alias) => aliasUrn(deployment, goal, alias));
  const formerParent = goal.parent === undefined ? undefined : deployment.marks.formerly.get(goal.parent);
  if (goal.parent === undefined || formerParent === undefined) return new Set(own);
  const parent = nameOf(goal.parent);
  const inherited = [goal, ...own.map((urn) => ({ type: typeOf(urn), name: nameOf(urn) }))].map((child) =>
    inheritedUrn(deployment, child, parent, formerParent),
  );
  return new Set([...own, ...inherited]);
}

function aliasUrn(
  deployment: Deployment,
  goal: Pick<Goal, "name" | "type" | "parent">,
  alias: Alias,
): string {
  if ("urn" in alias) return alias.urn;
  const asked =
    alias.parent === undefined ? goal.parent : (deployment.marks.formerly.get(alias.parent) ?? alias.parent);
  const parent = alias.noParent || (asked !== undefined && isStack(asked)) ? undefined : asked;
  const { options } = deployment;
  return makeUrn({
    stack: alias.stack ?? options.stack,
    project: alias.project ?? options.project,
    parent,
    type: alias.type ?? goal.type,
    name: alias.name ?? goal.name,
  });
}

/**
 * The old URN of a child whose parent was renamed. A child name that begins with the parent's name, `<parent>-part`, began
 * with the parent's old name.
 */
function inheritedUrn(
  { options }: Deployment,
  child: { readonly type: string; readonly name: string },
  parentName: string,
  formerParent: string,
): string {
  const name = child.name.startsWith(parentName)
    ? nameOf(formerParent) + child.name.slice(parentName.length)
    : child.name;
  return makeUrn({
    stack: options.stack,
    project: options.project,
    parent: formerParent,
    type: child.type,
    name,
  });
}
