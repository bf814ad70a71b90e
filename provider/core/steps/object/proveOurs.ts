import { predicted } from "../../compare/expected";
import { formsIn } from "../../compare/forms";
import { leavesThatDiffer } from "../../compare/leaves";
import { type Model, modelOfBody, plainModel } from "../../compare/model";
import type { Movement } from "../../compare/movements";
import type { HttpAnswer } from "../../http/request";
import type { ObjectContext } from "../../language/contexts";
import { fieldsOf } from "../../language/fields";
import type { Observation, Values } from "../../language/object";
import { stillHolds, type Write } from "../../requests/write";
import { movementTable } from "../../state/conflict";
import { type Record3, recordAfterWrite } from "../../state/records";
import { secrecyOf } from "../../state/redaction";
import { isHollow } from "../../value/empty";
import { type Path, valueAt } from "../../value/path";
import { conflict } from "./conflicts";

/** What a read back says of a write. */
export interface Verdict {
  readonly record: Record3;
  /** Somebody wrote right after us: theirs is what the service holds. */
  readonly error?: Error;
}

/**
 * Makes sure that what was read back is the answer to our write, and not somebody's later edit, which would
 * otherwise pass for a value that the service chose.
 */
export async function verified(
  context: ObjectContext,
  before: Record3,
  write: Write,
  answer: HttpAnswer,
  observation: Observation,
): Promise<Verdict> {
  const { definition } = context;
  const { inputs } = write;
  const record = recordAfterWrite(definition, inputs, observation);
  if (definition.answersWhole) return { record };
  const expected = predicted(definition, inputs, before.settled, record.seen);
  // A service may drop what is empty, or show it: that explains itself.
  const unexplained = leavesThatDiffer(plainModel(expected), plainModel(record.seen), []).filter(
    ({ path, to }) => !(isHollow(to) && isHollow(valueAt(expected, path))),
  );
  const { checkAndSet } = definition;
  if (checkAndSet === undefined) {
    const movements = movementsFrom(
      context,
      inputs,
      expected,
      record.seen,
      lackingOnly(unexplained, expected),
    );
    if (movements.length > 0) warnOfAnswer(context, inputs, movements);
    return { record };
  }
  if (!(await wasMovedAfter(context, write, answer, observation, unexplained.length > 0))) return { record };
  const exact = await checkAndSet.exactAnswer?.(context, observation.address, checkAndSet.answered?.(answer));
  const settled = exact ? modelOfBody(definition, exact, inputs) : expected;
  const differing = leavesThatDiffer(plainModel(settled), plainModel(record.seen), []);
  const movements = movementsFrom(context, inputs, settled, record.seen, differing);
  if (movements.length === 0) return { record };
  const moved: Record3 = { ...record, settled };
  return {
    record: moved,
    error: conflict(context, before, inputs, observation, movements, { afterOurs: true }),
  };
}

async function wasMovedAfter(
  context: ObjectContext,
  write: Write,
  answer: HttpAnswer,
  observation: Observation,
  hasUnexplained: boolean,
): Promise<boolean> {
  const { checkAndSet } = context.definition;
  const answered = checkAndSet?.answered?.(answer);
  if (answered !== undefined) return !checkAndSet?.isAnswerOf?.(answered, observation.body);
  if (!hasUnexplained || checkAndSet?.isUntouched?.(observation.body)) return false;
  return (await stillHolds(context, write)) === false;
}

function movementsFrom(
  context: ObjectContext,
  inputs: Values,
  ours: Model,
  theirs: Model,
  differing: readonly { path: Path }[],
): Movement[] {
  const forms = formsIn(context.definition, inputs);
  return differing.flatMap(({ path }) => {
    const property = fieldsOf(context.definition).find(({ name }) => name === path[0]);
    if (property === undefined) return [];
    const field = forms.get(property.name) ?? property;
    // Models hold JSON only.
    const [own, other] = [ours, theirs].map((model) => valueAt(model, path));
    return [{ path: [field.name, ...path.slice(1)], field, base: own, ours: own, theirs: other }];
  });
}

/** Without check-and-set, only a value of ours that came back as another is worth a word: additions may be the service's. */
function lackingOnly(differing: readonly { path: Path }[], expected: Model) {
  return differing.filter(({ path }) => valueAt(expected, path) !== undefined);
}

function warnOfAnswer(context: ObjectContext, inputs: Values, movements: readonly Movement[]) {
  const table = movementTable(movements, secrecyOf(context.definition, inputs, context.redactor));
  context.log(
    "warning",
    [
      "it does not hold what was just written: the service made it another value, or somebody was faster:",
      ...table,
    ].join("\n"),
  );
}
