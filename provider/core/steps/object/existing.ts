import { lacking } from "../../compare/missing";
import { modelOfBody, modelOfInputs } from "../../compare/model";
import type { Movement } from "../../compare/movements";
import type { ServiceError } from "../../http/errors";
import type { ObjectContext } from "../../language/contexts";
import { fieldsOf } from "../../language/fields";
import type { Address, Observation, Values } from "../../language/object";
import { managedLinks, observe } from "../../requests/observe";
import { comparisonTable } from "../../state/conflict";
import { AlreadyExistsError } from "../../state/failures";
import type { Record3 } from "../../state/records";
import { secrecyOf } from "../../state/redaction";
import { formatPath, valueAt } from "../../value/path";
import { settle } from "./converge";
import type { Finished } from "./unfinished";

/** The object under this program's name, if there is one. */
export async function find(
  context: ObjectContext,
  address: Address,
  inputs: Values,
): Promise<Observation | undefined> {
  const { definition } = context;
  const links = managedLinks(definition, {}, inputs);
  return definition.find ? definition.find(context, address, inputs) : observe(context, address, links);
}

/**
 * Takes over what a create found in its place, where the program lets it.
 * @param doubt why it is not known whether this create made it itself
 * @throws AlreadyExistsError with how it differs, and the ways on
 */
export async function takenOver(
  context: ObjectContext,
  found: Observation,
  inputs: Values,
  doubt?: ServiceError,
): Promise<Finished> {
  const { definition } = context;
  const canAdopt = "adopt" in definition.fields;
  if (!(canAdopt && inputs.adopt === true) && !definition.takesOver?.(found.body, inputs)) {
    const what = definition.existing?.(found.body);
    const differences = differencesFrom(context, found, inputs);
    throw new AlreadyExistsError(context.name(found.address), {
      differences: what === undefined ? differences : [`  ${what}`, ...differences],
      canAdopt,
      doubt,
    });
  }
  refuseFixed(context, found, inputs);
  const { record } = known(context, found, {}, inputs);
  const finished = await settle(context, { ...record, unfinished: "adopted" }, inputs, found);
  const { unfinished: _, ...whole } = finished.record;
  return { ...finished, record: { ...whole, applied: inputs }, body: finished.body ?? found.body };
}

/** The records of an object as it was found. */
export function known(
  { definition }: ObjectContext,
  found: Observation,
  applied: Values,
  inputs: Values,
): { readonly record: Record3 } {
  const seen = modelOfBody(definition, found.body, inputs);
  const { address, token } = found;
  return { record: { address, applied, settled: seen, seen, ...(token !== undefined && { token }) } };
}

/** What is fixed after creation cannot be brought about by taking over. */
function refuseFixed(context: ObjectContext, found: Observation, inputs: Values): void {
  const { definition } = context;
  const fixed = new Set(
    fieldsOf(definition)
      .filter(({ facts }) => facts.immutable)
      .map(({ name }) => name),
  );
  const differing = lacking(definition, inputs, found).filter(([name]) => fixed.has(String(name)));
  if (differing.length === 0) return;
  throw new Error(
    `${context.name(found.address)} cannot be taken over: it differs in what is fixed once it exists ` +
      `(${differing.map(formatPath).join(", ")}); nothing was written. Write what it has, or remove it first`,
  );
}

/** How many differences are told. */
const MOST_TOLD = 20;

/** How the object that was found differs from what the program writes, a line each. */
function differencesFrom(
  { definition, redactor }: ObjectContext,
  found: Observation,
  inputs: Values,
): string[] {
  const paths = lacking(definition, inputs, found);
  if (paths.length === 0)
    return [`  it holds everything that the program writes${unseenIn(definition, inputs)}`];
  const seen = modelOfBody(definition, found.body, inputs);
  const desired = modelOfInputs(definition, inputs);
  const rows = paths.slice(0, MOST_TOLD).flatMap((path): Movement[] => {
    const field = fieldsOf(definition).find(({ name }) => name === path[0]);
    const [ours, theirs] = [desired, seen].map((model) => valueAt(model, path));
    return field === undefined ? [] : [{ path, field, base: undefined, ours, theirs }];
  });
  const more = paths.length > MOST_TOLD ? [`  and ${paths.length - MOST_TOLD} more`] : [];
  return ["  it differs:", ...comparisonTable(rows, secrecyOf(definition, inputs, redactor)), ...more];
}

/** What of the program's values the service never shows, so that nobody can say whether it holds them. */
function unseenIn(definition: ObjectContext["definition"], inputs: Values): string {
  const unseen = fieldsOf(definition)
    .filter(({ name, facts }) => facts.writeOnly !== undefined && inputs[name] !== undefined)
    .map(({ name }) => name);
  return unseen.length === 0 ? "" : `, as far as the service shows it (it never shows ${unseen.join(", ")})`;
}
