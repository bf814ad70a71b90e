import { missingAsWritten } from "../../compare/missing";
import { modelOfBody } from "../../compare/model";
import { judged } from "../../compare/response";
import { AdvisedError, edited, upAgain } from "../../http/waysOn";
import type { Observation } from "../../language/object";
import type { ObjectContext } from "../../language/resource";
import { comparisonTable, driftTable } from "../../state/conflict";
import { isNeverRead, type Records } from "../../state/records";
import { secrecyOf } from "../../state/redaction";
import type { Unfinished } from "./found";
import { appliedSoFar } from "./links";
import { partial } from "./partial";
import { asMovement } from "./proveOurs";

/**
 * Judges a write by its own answer, where that is the whole object, so that nobody can have come between: what the
 * service made of a value is settled and told once, and what moved without having been written is told.
 * @param records the records as they are after the write
 * @throws PartialError where a value that was sent is still what it was before: the service did not take it.
 */
export function judgeAnswer(
  context: ObjectContext,
  work: Unfinished,
  records: Records,
  answered: Observation,
): void {
  const { definition } = context;
  const { inputs } = work;
  const now = modelOfBody(definition, answered.body, inputs);
  const { notTaken, normalised, movedAlong } = isNeverRead(work.records)
    ? {
        notTaken: [],
        normalised: missingAsWritten(definition, inputs, answered).map(asMovement),
        movedAlong: [],
      }
    : judged(definition, inputs, work.changes, {
        sent: work.write?.body ?? {},
        before: work.records.seen,
        answered: now,
      });
  const secrecy = secrecyOf(definition, inputs, context.redactor);
  if (normalised.length > 0) {
    const told = "the service made another value of what was written, which counts as settled:";
    context.log("warning", [told, ...comparisonTable(normalised, secrecy)].join("\n"));
  }
  if (movedAlong.length > 0) {
    const told = "moved with this write, by the service or by somebody in the same moment:";
    context.log("info", [told, ...driftTable(movedAlong, secrecy)].join("\n"));
  }
  if (notTaken.length === 0) return;
  const unwritten = new Set(notTaken.map(({ path }) => String(path[0])));
  const reason = new AdvisedError(
    [
      `${context.name(records.address)}: the service took the update, and left some of it as it was:`,
      ...comparisonTable(notTaken, secrecy),
      "  Everything else is written; the next preview shows what is not.",
    ].join("\n"),
    [upAgain(), edited("take the property out of the program, or write the service's value there")],
  );
  const applied = appliedSoFar(definition, work, unwritten);
  throw partial(context, { ...records, applied, unfinished: reason.message }, applied, answered.body, reason);
}
