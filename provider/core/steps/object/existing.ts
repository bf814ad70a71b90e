import { formsIn } from "../../compare/forms";
import { missingAsWritten, missingPaths } from "../../compare/missing";
import type { Movement } from "../../compare/movements";
import type { ServiceError } from "../../http/errors";
import { AdvisedError, edited, removed } from "../../http/waysOn";
import { idOfInputs } from "../../language/address";
import { ADOPTION } from "../../language/adoption";
import type { Search } from "../../language/creation";
import { fieldsOf } from "../../language/fields";
import type { Address, Observation, Values } from "../../language/object";
import type { Definition, ObjectContext } from "../../language/resource";
import { isLink } from "../../language/role";
import { managedLinks, observe } from "../../requests/observe";
import { comparisonTable } from "../../state/conflict";
import { AlreadyExistsError } from "../../state/failures";
import { secrecyOf } from "../../state/redaction";
import { formatPath } from "../../value/path";
import { plannedChanges } from "../planned";
import { converge } from "./converge";
import { type Finished, neverShown, recordsAsFound } from "./found";
import { extraInDocuments, isIdentical, recordsToAdopt } from "./identical";
import { asMovement } from "./verify";

/** The object under this program's name, if there is one. */
export async function find(
  context: ObjectContext,
  address: Address,
  inputs: Values,
): Promise<Observation | undefined> {
  const { definition } = context;
  const search = searchOf(definition);
  return search
    ? search.find(context, address, inputs)
    : observe(context, address, managedLinks(definition, {}, inputs));
}

/** Whether what these inputs make can be found; else a create whose request was lost is never sent again. */
export function canFind(definition: Definition, inputs: Values): boolean {
  return searchOf(definition)?.canFind(inputs) ?? true;
}

function searchOf({ life }: Definition): Search | undefined {
  const { existing } = life.creation;
  return existing?.by === "a look" ? existing.search : undefined;
}

/** What was sent before something was found in a create's place. */
interface CreateAttempt {
  /** Why it is not known whether this create made it itself. */
  readonly doubt?: ServiceError | undefined;
  /** Whether the service refused to make it. */
  readonly isRefused?: boolean;
}

/**
 * Takes over what a create found in its place, where the program lets it, or where whoever runs it does so of what is
 * identical.
 * @throws AlreadyExistsError with how it differs, and the ways on
 */
export async function adoptExisting(
  context: ObjectContext,
  found: Observation,
  inputs: Values,
  after: CreateAttempt = {},
): Promise<Finished> {
  const { definition, connection } = context;
  const { creation } = definition.life;
  const canAdopt = "adopt" in definition.fields;
  const isAsked = canAdopt && inputs.adopt === true;
  if (!creation.takesOver?.(found.body, inputs)) {
    // What the program says of itself counts first.
    const isSame = canAdopt && inputs.adopt !== false && isIdentical(context, found, inputs);
    if (isSame && (isAsked || context.adoptsIdentical)) return takenAsWritten(context, found, inputs);
    if (!isAsked) {
      const what = creation.called?.(found.body);
      const differences = differencesFrom(context, found, inputs);
      const id = idOfInputs(definition, connection, found.address, inputs);
      throw new AlreadyExistsError(context.name(found.address), {
        differences: what === undefined ? differences : [`  ${what}`, ...differences],
        ...(canAdopt && { adoption: { id, isIdentical: isSame } }),
        ...after,
        isAlike: after.isRefused === true && missingPaths(definition, inputs, found).length === 0,
      });
    }
  }
  refuseFixed(context, found, inputs);
  if (isAsked) tellTaken(context, found, inputs);
  const records = recordsToAdopt(context, found, inputs);
  const finished = await converge(context, { ...records, unfinished: "adopted" }, inputs, found);
  return { ...finished, records: { ...finished.records, applied: inputs } };
}

/** Says what the program's values go over: nobody was shown that before. */
function tellTaken(context: ObjectContext, found: Observation, inputs: Values): void {
  const rows = differing(context, found, inputs);
  if (rows.length === 0) return;
  const { definition, redactor } = context;
  const table = comparisonTable(rows, secrecyOf(definition, inputs, redactor));
  const told = "it exists already: taken over, and brought to what the program writes:";
  context.log("info", [told, ...table].join("\n"));
}

/** What is just as the program writes it is taken as though this create had made it: nothing is sent. */
function takenAsWritten(context: ObjectContext, found: Observation, inputs: Values): Promise<Finished> {
  context.log(
    "info",
    `it exists already, and is just what the program writes: taken over as it is (${inputs.adopt === true ? "adopt is true" : `${ADOPTION} is identical`}).`,
  );
  const records = recordsAsFound(context, found, inputs, inputs);
  return converge(context, { ...records, unfinished: "adopted" }, inputs, found);
}

/** What is fixed after creation cannot be brought about by taking over. */
function refuseFixed(context: ObjectContext, found: Observation, inputs: Values): void {
  const { definition } = context;
  const fixed = new Set(
    fieldsOf(definition)
      .filter(({ facts }) => facts.immutable)
      .map(({ name }) => name),
  );
  const differing = missingPaths(definition, inputs, found).filter(([name]) => fixed.has(String(name)));
  if (differing.length === 0) return;
  throw new AdvisedError(
    `${context.name(found.address)} cannot be taken over: it differs in what is fixed once it exists ` +
      `(${differing.map(formatPath).join(", ")}); nothing was written.`,
    [edited("write what it has"), removed("remove it first")],
  );
}

/** How the object that was found differs from what the program writes, a line each. */
function differencesFrom(context: ObjectContext, found: Observation, inputs: Values): string[] {
  const { definition, redactor } = context;
  const rows = differing(context, found, inputs);
  if (rows.length === 0)
    return [`  it holds everything that the program writes${butUnseen(definition, inputs)}`];
  return ["  it differs:", ...comparisonTable(rows, secrecyOf(definition, inputs, redactor))];
}

/**
 * What the program writes and it lacks, its links too; and what of it taking it over would drop, because the program does not
 * write it, and would own the document that it is in.
 */
function differing(context: ObjectContext, found: Observation, inputs: Values): Movement[] {
  const { definition } = context;
  const forms = formsIn(definition, inputs);
  const dropped = extraInDocuments(context, found, inputs).map((change) => {
    const field = forms.get(change.field.name) ?? change.field;
    return { ...change, field, path: [field.name, ...change.path.slice(1)] };
  });
  const planned = plannedChanges(definition, recordsAsFound(context, found, {}, inputs), inputs);
  const relinked = planned.filter(({ field }) => isLink(field.facts));
  const goneOver = [...relinked, ...dropped.map((change) => ({ ...change, to: undefined }))];
  return [
    ...missingAsWritten(definition, inputs, found).map(asMovement),
    ...goneOver.map(({ path, field, from, to }): Movement => {
      return { path, field, base: undefined, ours: to, theirs: from };
    }),
  ];
}

function butUnseen(definition: Definition, inputs: Values): string {
  const unseen = neverShown(definition, inputs);
  return unseen.length === 0 ? "" : `, as far as the service shows it (it never shows ${unseen.join(", ")})`;
}
