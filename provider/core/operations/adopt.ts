import { formsIn } from "../diff/forms";
import { modelOfBody } from "../diff/models";
import type { Change, Difference } from "../diff/threeWay";
import { ActionableError, editProgram, removeObject } from "../http/remedies";
import { idOfInputs } from "../language/address";
import { ADOPTION } from "../language/adoption";
import { fieldsOf } from "../language/fields";
import type { KnownInputs } from "../language/object";
import type { ObjectContext } from "../language/resource";
import { isLink } from "../language/role";
import { isFixed, plannedChanges, type RecordedObject } from "../state/changes";
import { comparisonTable } from "../state/conflictTable";
import { AlreadyExistsError, propertiesOf } from "../state/errors";
import { secretMapOf } from "../state/redaction";
import { formatPath } from "../value/path";
import { NO_INPUTS, selectInputs } from "../value/programInputs";
import { compareFound, type ExistingObject, type FoundObject, neverShown } from "./find";
import { recordsAsFound } from "./write/result";

/**
 * The records of an object that a create found at its address, from which an update writes the program's values. Allowed if the
 * program asks for it, or if the settings allow it and the object is identical to the program's.
 * @throws AlreadyExistsError with the differences and the remedies
 */
export function adoption(
  context: ObjectContext,
  { found, isRefused, doubt }: ExistingObject,
  inputs: KnownInputs,
): RecordedObject {
  const { definition, connection } = context;
  const { creation } = definition.life;
  const canAdopt = "adopt" in definition.fields;
  const isAsked = canAdopt && inputs.adopt === true;
  const compared = compareFound(context, found, inputs);
  const rows = adoptionChanges(compared);
  if (!creation.adoptsImplicitly?.(found.body, inputs)) {
    const isIdentical = compared.missing.length + compared.extra.length === 0;
    const isShown = neverShown(definition, inputs).length === 0;
    // The program's own setting has precedence.
    const isSame = canAdopt && inputs.adopt !== false && isIdentical && isShown;
    if (isSame && (isAsked || context.adoptsIdentical)) {
      logUnchanged(compared);
      return recordedAs(compared, inputs);
    }
    if (!isAsked) {
      const existing = creation.describeExisting?.(found.body);
      const differences = describeDifferences(compared, rows);
      const id = idOfInputs(definition, connection, found.address, inputs);
      throw new AlreadyExistsError(context.name(found.address), {
        differences: existing === undefined ? differences : [`  ${existing}`, ...differences],
        properties: propertiesOf(rows),
        ...(canAdopt && { adoption: { type: definition.token, id, isIdentical: isSame } }),
        doubt,
        isRefused: isRefused === true,
        isAlike: isRefused === true && compared.missing.length === 0,
      });
    }
  }
  assertAdoptable(compared);
  if (isAsked) logDifferences(compared, rows);
  // A document is managed as one unit: its values that the program does not write count as written before, so that the update
  // removes them.
  const extra = new Set(extraInDocuments(compared).map(({ path: [name] }) => name));
  return recordedAs(
    compared,
    selectInputs(compared.program, (name) => extra.has(name)),
  );
}

/** The object on record with these applied inputs. It must be written at least once more. */
function recordedAs({ context, found, inputs }: FoundObject, applied: KnownInputs): RecordedObject {
  const records = recordsAsFound(context, found, applied, inputs);
  return { context, records: { ...records, pending: { kind: "incomplete", reason: "adopted" } }, inputs };
}

function logUnchanged({ context, inputs }: FoundObject): void {
  const reason = inputs.adopt === true ? "adopt is true" : `${ADOPTION} is identical`;
  context.log(
    "info",
    `the object exists, is identical to the program's object, and was adopted without a write (${reason}).`,
    { isExisting: true },
  );
}

/** Shows the values that the adoption overwrites: someone may have changed the object after the preview. */
function logDifferences(compared: FoundObject, rows: readonly Difference[]): void {
  if (rows.length === 0) return;
  const text = "the object exists, and was adopted and updated to the program's values:";
  compared.context.log("info", [text, ...tableOf(compared, rows)].join("\n"), {
    isExisting: true,
    properties: propertiesOf(rows),
  });
}

/** The differences as a table, with masked secrets. */
export function tableOf({ context, inputs }: FoundObject, rows: readonly Difference[]): string[] {
  return comparisonTable(rows, secretMapOf(context.definition, inputs, context.redactor));
}

/** The properties that differ and cannot change after the creation, so that the object cannot be adopted. */
export function immutableDifferences({ context, found, inputs, missing }: FoundObject): string[] {
  const { definition } = context;
  const there = modelOfBody(definition, found.body, inputs);
  const immutable = fieldsOf(definition).filter((field) => isFixed({ field, to: inputs[field.name] }, there));
  const names = new Set<string>(immutable.map(({ name }) => name));
  return missing.filter(({ path: [name] }) => names.has(String(name))).map(({ path }) => formatPath(path));
}

/** @throws ActionableError if the object differs in a property that cannot change after the creation */
function assertAdoptable(compared: FoundObject): void {
  const { context, found } = compared;
  const paths = immutableDifferences(compared);
  if (paths.length === 0) return;
  throw new ActionableError(
    `${context.name(found.address)} cannot be adopted, because its immutable properties differ ` +
      `(${paths.join(", ")}); nothing was written.`,
    [editProgram("set the properties to the values of the object"), removeObject("delete the object first")],
    { outcome: "notApplied" },
  );
}

/** The differences of an object from the program, one line each. */
function describeDifferences(compared: FoundObject, rows: readonly Difference[]): string[] {
  if (rows.length > 0) return ["  the object differs:", ...tableOf(compared, rows)];
  const unseen = neverShown(compared.context.definition, compared.inputs);
  const limit =
    unseen.length === 0
      ? ""
      : `, as far as the server returns them (the server never returns ${unseen.join(", ")})`;
  return [`  the object has all values of the program${limit}`];
}

/** The changes that an adoption makes: values that the object lacks, and values that it removes from documents and maps. */
export function adoptionChanges(compared: FoundObject): Difference[] {
  const { context, found, inputs } = compared;
  const { definition } = context;
  const forms = formsIn(definition, inputs);
  const dropped = extraInDocuments(compared).map((change) => {
    const field = forms.get(change.field.name) ?? change.field;
    return { ...change, field, path: [field.name, ...change.path.slice(1)], to: undefined };
  });
  const planned = plannedChanges(definition, recordsAsFound(context, found, NO_INPUTS, inputs), inputs);
  const links = planned.filter(({ field }) => isLink(field.facts));
  return [
    ...compared.missing,
    ...[...links, ...dropped, ...compared.mapEntries].map(
      ({ path, field, from, to }): Difference => ({ path, field, base: undefined, ours: to, theirs: from }),
    ),
  ];
}

/** The values in the program's documents that the program does not write. */
function extraInDocuments({ extra }: FoundObject): Change[] {
  return extra.filter(({ field, path }) => field.facts.document !== undefined && path.length > 1);
}
