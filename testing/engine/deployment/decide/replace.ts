import type { ResourceState } from "../../state/resource";
import { type PropertyValue, redactValue } from "../../state/values";
import { Bailed } from "../operation/bailed";
import type { Goal } from "../program/goal";
import type { Diff } from "../provider/diff";
import type { Entry } from "../record/entry";
import { createStep, replaceStep } from "../steps/create";
import { deleteReplacedStep, deleteStep } from "../steps/delete";
import { type Reasons, reasonsOf, type Step } from "../steps/step";
import { checkInputs, print } from "./check";
import { dependentReplacements } from "./dependents";
import type { Deployment } from "./deployment";

/** Replaces a resource: creates the new one first and deletes the old one at the end, or deletes first. */
export async function replace(
  deployment: Deployment,
  old: Entry,
  entry: Entry,
  goal: Goal,
  diff: Diff,
  tell: () => void,
): Promise<Step[]> {
  const { marks } = deployment;
  const { urn } = entry.state;
  if (entry.state.protect && old.state.protect) {
    refuse(
      deployment,
      urn,
      `unable to replace resource "${urn}"\nas it is currently marked for protection. To unprotect the resource, ` +
        "remove the `protect` flag from the resource in your Pulumi program and run `pulumi up`",
    );
  }
  if (goal.importId !== undefined) refuseImported(deployment, old.state, entry.state, diff);
  marks.replaces.add(urn);
  // For `--replace`, the earlier check had no old inputs already.
  if (goal.custom && !deployment.replaced.names(urn)) {
    // A replacement inherits nothing from the old resource, so the provider checks the inputs again.
    const inputs = await checkInputs(deployment, { ...entry.state, inputs: goal.inputs }, goal, undefined);
    if (inputs === undefined) throw new Bailed(`resource ${urn} has check errors`);
    entry.state = { ...entry.state, inputs };
  }
  const why = { keys: diff.replaces, ...reasonsOf(diff) };
  if (!(goal.deleteBeforeReplace ?? diff.deleteBeforeReplace)) {
    return replaceAfterwards(deployment, old, entry, why, tell);
  }
  const dependents = await deleteDependents(deployment, old, urn);
  const own = old.state.pendingReplacement ? [] : [deleteReplacedStep(deployment, old, true)];
  if (own.length > 0) marks.deletes.add(old.state.urn);
  return [
    ...dependents,
    ...own,
    replaceStep(old, entry, why),
    createStep(deployment, entry, tell, { old, why, deleteLater: false }),
  ];
}

/** Creates the new resource first; the old one is deleted at the end, after its dependents have switched. */
export function replaceAfterwards(
  deployment: Deployment,
  old: Entry,
  entry: Entry,
  why: Reasons,
  tell: () => void,
): Step[] {
  return [createStep(deployment, entry, tell, { old, why, deleteLater: true }), replaceStep(old, entry, why)];
}

/** Recreates a resource that was deleted because of a dependency's replacement. */
export function recreate(deployment: Deployment, old: Entry, entry: Entry, tell: () => void): Step[] {
  const { marks } = deployment;
  const { urn } = entry.state;
  marks.deletes.delete(urn);
  marks.replaces.add(urn);
  return [
    replaceStep(old, entry, {}),
    createStep(deployment, entry, tell, {
      old,
      why: { keys: marks.replacedFor.get(urn) ?? [] },
      deleteLater: false,
    }),
  ];
}

/** Deletes the dependents that must be replaced with the resource, before the resource itself. */
async function deleteDependents(deployment: Deployment, old: Entry, urn: string): Promise<Step[]> {
  const { marks } = deployment;
  const steps: Step[] = [];
  for (const { entry, keys } of (await dependentReplacements(deployment, old)).reverse()) {
    const dependent = entry.state;
    if (marks.condemned.has(entry)) continue;
    marks.replacedFor.set(dependent.urn, keys);
    if (dependent.delete) {
      steps.push(deleteStep(deployment, entry));
    } else {
      if (dependent.protect) {
        refuse(
          deployment,
          urn,
          `unable to replace resource "${dependent.urn}" as part of replacing "${urn}" as it is currently ` +
            "marked for protection. To unprotect the resource, remove the `protect` flag from the resource in " +
            "your Pulumi program and run `pulumi up`, or use the command:\n" +
            `\`pulumi state unprotect '${dependent.urn}'\``,
          { evenInPreview: true },
        );
      }
      steps.push(deleteReplacedStep(deployment, entry, true));
    }
    marks.deletes.add(dependent.urn);
    marks.condemned.add(entry);
  }
  return steps;
}

/** Refuses to replace an imported resource while the program still contains its import ID. */
function refuseImported(
  { diagnostics, preview }: Deployment,
  { urn, inputs: olds = {} }: ResourceState,
  { inputs: news = {} }: ResourceState,
  { replaces }: Diff,
): void {
  const printRedacted = (value: PropertyValue | undefined) =>
    print(value === undefined ? null : redactValue(value));
  const changes = replaces.map((key) => `${key}: ${printRedacted(olds[key])} => ${printRedacted(news[key])}`);
  const message =
    "previously-imported resources that still specify an ID may not be replaced; " +
    `please remove the \`import\` declaration from your program;\n${changes.join("\n")}`;
  if (!preview) throw new Error(message);
  diagnostics.warning(message, urn);
}

/** Reports an error and aborts; a preview continues, to show all errors. */
function refuse(
  { diagnostics, preview }: Deployment,
  urn: string,
  message: string,
  { evenInPreview = false } = {},
): void {
  diagnostics.refuse(message, urn);
  if (!preview || evenInPreview) throw new Bailed(message);
}
