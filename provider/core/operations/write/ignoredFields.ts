import { modelOfBody } from "../../diff/models";
import { isDeepEmpty, sameAt } from "../../diff/normalize";
import { judge, judgeCreate } from "../../diff/predict";
import { missingIn } from "../../diff/queries";
import type { Difference } from "../../diff/threeWay";
import { ActionableError, editProgram, type Remedy, rerunUp } from "../../http/remedies";
import type { HttpResponse } from "../../http/request";
import { type DefinitionBase, fieldNamed, fieldsOf } from "../../language/fields";
import type { Observation, Values } from "../../language/object";
import { ignoredFields } from "../../requests/middleware";
import { probeContext } from "../../requests/probe";
import type { Write } from "../../requests/write";
import { comparisonTable, driftTable } from "../../state/conflictTable";
import { propertiesOf } from "../../state/errors";
import { isNeverObserved, type Records } from "../../state/records";
import { secretMapOf } from "../../state/redaction";
import { areFlagsVisible } from "./ownership";
import { appliedInputs, incomplete, partial, type Written } from "./result";

/** The properties that the program writes, and that the service reports as ignored. */
export function ignoredProperties(
  definition: DefinitionBase,
  inputs: Values,
  answer: HttpResponse,
): string[] {
  const ignored = new Set(ignoredFields(answer));
  return fieldsOf(definition)
    .filter(({ name, wire }) => ignored.has(wire) && inputs[name] !== undefined)
    .map(({ name }) => name);
}

/** The remedies for properties that a service ignores. */
export function remediesForIgnored(names: readonly string[]): Remedy[] {
  return [
    editProgram(`remove ${names.join(" and ")} from the program if this server does not support it`),
    rerunUp(", once the server supports it"),
  ];
}

/**
 * Checks that the service applied every value of a write, by the response to it. An ignored property is not recorded as
 * written, so that it stays a change until the program drops it, or the service accepts it.
 * @param records the records after the write
 * @param observation the object as read back
 * @throws PartialError if the service ignored a value
 */
export async function assertNothingIgnored(
  work: Written,
  records: Records,
  observation: Observation,
  response: HttpResponse,
): Promise<void> {
  const { write, own } = work;
  if (own !== undefined && write !== undefined) await assertApplied(work, records, own, write);
  assertNoneReported(work, records, response, observation);
}

/**
 * Compares a write with its response, if that contains the complete object, so that no one can have written in between. Reports
 * values that the service normalized, and values that changed without being sent.
 */
async function assertApplied(work: Written, records: Records, own: Observation, write: Write): Promise<void> {
  const { context, inputs } = work;
  const { definition } = context;
  const isCreate = isNeverObserved(work.records);
  const { normalized, sideEffects, ...judged } = isCreate
    ? judgeCreate(definition, inputs, own)
    : judge(definition, inputs, work.changes, {
        sent: write.body ?? {},
        before: work.records.observed,
        answered: modelOfBody(definition, own.body, inputs),
        isResetUnseen: !areFlagsVisible(work, own.body),
      });
  const secrets = () => secretMapOf(definition, inputs, context.redactor);
  if (normalized.length > 0) {
    const text = "the server changed the written value; the server's value is stored as the baseline:";
    context.log("warning", [text, ...comparisonTable(normalized, secrets())].join("\n"), {
      outcome: "applied",
      properties: propertiesOf(normalized),
    });
  }
  if (sideEffects.length > 0) {
    const text = "also changed with this write, by the server or by someone else at the same time:";
    context.log("info", [text, ...driftTable(sideEffects, secrets())].join("\n"), {
      outcome: "applied",
      changedBy: "unknown",
      properties: propertiesOf(sideEffects),
    });
  }
  const ignored = await withoutInherited(work, judged.ignored);
  if (ignored.length === 0) return;
  const reason = new ActionableError(
    [
      `${context.name(records.address)}: the server accepted the ${isCreate ? "create" : "update"} and ignored these values:`,
      ...comparisonTable(ignored, secrets()),
      "  All other values are written. The next preview shows the ignored values again.",
    ].join("\n"),
    [rerunUp(), editProgram("remove the property from the program, or set it to the server's value")],
    { outcome: "applied" },
  );
  throw ignoredError(work, records, own, propertiesOf(ignored), reason);
}

/** Without the dropped values that the object inherits: they are as they should be, although nothing shows the reset. */
async function withoutInherited(
  { context, records, inputs }: Written,
  ignored: readonly Difference[],
): Promise<readonly Difference[]> {
  const { inheritance } = context.definition.life.writes;
  const isDropped = ({ path: [name] }: Difference) => name !== undefined && inputs[name] === undefined;
  if (inheritance === undefined || !ignored.some(isDropped)) return ignored;
  const inherited = await inheritance.values(probeContext(context), records.address);
  return ignored.filter(
    (difference) =>
      !isDropped(difference) ||
      !sameAt(difference.field, difference.path, inherited[difference.path[0] ?? ""], difference.theirs),
  );
}

/** Fails if the service reports that it ignored a property, and does not show it as written. */
function assertNoneReported(work: Written, records: Records, answer: HttpResponse, read: Observation): void {
  const { context, inputs } = work;
  const { definition } = context;
  const missing = new Set(missingIn(definition, inputs, read).map(({ path: [name] }) => name));
  const isWrittenUnseen = (name: string) => {
    const field = fieldNamed(definition, name);
    return field?.facts.writeOnly !== undefined && !isDeepEmpty(field, inputs[name]);
  };
  const names = ignoredProperties(definition, inputs, answer).filter(
    (name) => missing.has(name) || isWrittenUnseen(name),
  );
  if (names.length === 0) return;
  const reason = new ActionableError(
    `${context.name(records.address)}: the server accepted the write, but reports that it ignored ${names.join(", ")}; all other values were written.`,
    remediesForIgnored(names),
    { outcome: "applied" },
  );
  throw ignoredError(work, records, read, names, reason);
}

/** The error of a write of which the service ignored these properties. */
function ignoredError(
  work: Written,
  records: Records,
  { body }: Observation,
  names: readonly string[],
  reason: ActionableError,
): Error {
  const lastApplied = appliedInputs(work, new Set(names));
  const pending = incomplete(reason);
  return partial(work.context, { ...records, lastApplied, pending }, { reason, body });
}
