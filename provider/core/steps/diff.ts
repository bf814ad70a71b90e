import { type Change, changesIn } from "../changes";
import type { Described } from "../define";
import { sameInDocument } from "../equality";
import { type Field, fieldsOf } from "../fields";
import { formsIn, writtenForm } from "../forms";
import { withIgnored } from "../ignored";
import { type Model, modelOfInputs, withoutLeft } from "../model";
import type { Path } from "../path";
import { type Record3, recordIn } from "../record";
import type { Standing } from "../standing";
import { type Inputs, UNKNOWN } from "../unknown";
import type { StepInput } from "./context";
import { driftedInputs } from "./outputs";
import { withEarlierReading } from "./readText";
import { addressOf, addressParts, isSameConnection } from "./resource";

/** What an update would do. */
export interface Difference {
  readonly changes: readonly DifferentPath[];
  /** Whether a replacement must delete first, because it would live at the same place. */
  readonly deleteFirst: boolean;
  /** What the preview says beside the changes. */
  readonly notes: readonly string[];
}

/** One path that an update would change. */
export interface DifferentPath {
  readonly path: Path;
  readonly kind: "add" | "update" | "delete";
  readonly cause: Change["cause"];
  readonly replaces: boolean;
}

/** Compares the records of a resource with what the program writes now. It reads nothing from the service. */
export function diff(definition: Described, input: StepInput, outputs: Inputs, written: Inputs): Difference {
  const record = recordIn(definition, outputs);
  const read = withEarlierReading(definition, written, [record.applied]);
  const inputs = withIgnored(read, () => driftedInputs(definition, record));
  const moved = movedParts(definition, input, record, inputs);
  const changes = plannedChanges(definition, record, inputs);
  const paths: DifferentPath[] = [
    ...moved.map((name) => ({
      path: [name],
      kind: "update" as const,
      cause: "program" as const,
      replaces: true,
    })),
    ...changes.map(({ path, field, kind, cause }) => ({
      path,
      kind,
      cause,
      replaces: field.facts.immutable ?? false,
    })),
  ];
  if (isToGoOn(definition, record))
    paths.push({ path: [], kind: "update", cause: "program", replaces: false });
  const replaced = paths.filter(({ replaces }) => replaces);
  return {
    changes: paths,
    deleteFirst: replaced.length > 0 && moved.length === 0,
    notes: notesOn(definition, inputs, changes, record, outputs),
  };
}

/** A procedure that could not go on does so at the next up, whether or not an engine still knows that it failed. */
function isToGoOn(definition: Described, { unfinished }: Record3): boolean {
  return "kind" in definition && definition.kind === "procedure" && unfinished !== undefined;
}

/** What an update of this record would change, beyond the object's identity. */
export function plannedChanges(definition: Described, record: Record3, inputs: Inputs): Change[] {
  return changesIn(definition, standingOf(definition, record, inputs));
}

/** What the comparison of a record with the program's inputs stands on. */
export function standingOf(definition: Described, record: Record3, inputs: Inputs): Standing {
  const managed = (model: Model) => withoutLeft(definition, model, inputs);
  return {
    // What was written once holds no unknown values.
    applied: managed(modelOfInputs(definition, record.applied) as Model),
    desired: modelOfInputs(definition, inputs),
    settled: managed(record.settled),
    seen: managed(record.seen),
    forms: formsIn(definition, inputs),
    unread: textChanged(definition, record, inputs),
  };
}

/** The properties of a text, and of what it is read with, that are others than at our last write. */
function textChanged(definition: Described, { applied }: Record3, inputs: Inputs): Field[] {
  const { serviceText } = definition;
  if (serviceText === undefined) return [];
  const names = [serviceText.property, ...serviceText.with];
  return fieldsOf(definition).filter(
    ({ name }) => names.includes(name) && !sameInDocument(applied[name], inputs[name]),
  );
}

/** The parts of the address that are others now. A part that nobody gives is the one that the service chose. */
export function movedParts(
  definition: Described,
  input: StepInput,
  record: Record3,
  inputs: Inputs,
): string[] {
  const address = addressOf(definition, input.connection, inputs);
  const isOpen = fieldsOf(definition).some(
    (field) => field.facts.document && writtenForm(definition, field, inputs)?.value === UNKNOWN,
  );
  const moved = addressParts(definition).filter((name) => {
    const part = address[name];
    // A document of which nothing is known yet may give another one; that is told once it is known.
    if (isOpen && inputs[name] === undefined) return false;
    if (part === UNKNOWN) return true;
    if (part !== undefined) return part !== (record.address[name] ?? definition.unsetMeans?.[name]);
    const wasGiven = record.applied[name] !== undefined && record.applied[name] !== null;
    return wasGiven && record.address[name] !== definition.unsetMeans?.[name];
  });
  const recorded = record.applied.connection;
  const connectionMoved = !isSameConnection(
    input.connection,
    typeof recorded === "string" ? recorded : undefined,
  );
  return connectionMoved ? ["connection", ...moved] : moved;
}

function notesOn(
  definition: Described,
  inputs: Inputs,
  changes: readonly Change[],
  record: Record3,
  outputs: Inputs,
): string[] {
  const staying = fieldsOf(definition).filter(
    ({ name, facts }) => facts.stays && record.applied[name] !== undefined && inputs[name] === undefined,
  );
  return [
    ...staying.map(
      ({ name }) =>
        `${name} is no longer in the program; the service has no default to go back to, so its value stays`,
    ),
    ...(isToGoOn(definition, record) ? [`it goes on where it stopped: ${record.unfinished}`] : []),
    ...(definition.notes?.({ step: "update", inputs, changed: changes.map(({ path }) => path), outputs }) ??
      []),
  ];
}
