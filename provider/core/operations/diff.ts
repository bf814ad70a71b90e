import { canonicalField } from "../diff/normalize";
import { writtenPath } from "../diff/project";
import type { Change, Difference } from "../diff/threeWay";
import { type Field, fieldsOf } from "../language/fields";
import { type AnyDefinition, hasLifecycle, isCreatedBeforeDelete } from "../language/resource";
import { isWritten } from "../language/rules";
import type { PreviewInput } from "../language/stepInput";
import { addedAsEmpty, plannedChanges, requiresReplacement } from "../state/changes";
import { hasPendingCreate, recordsIn } from "../state/records";
import { SecretMap } from "../state/secretMap";
import { isSameSource, sourceText } from "../value/fingerprint";
import { isObject } from "../value/json";
import { formatPath, isWithinPath, type Path, parsePath, valueAt } from "../value/path";
import { metadataOf } from "../value/programInputs";
import { same } from "../value/scalar";
import type { Inputs } from "../value/unknown";
import { effectiveInputs } from "./ignoredPaths";
import {
  changedParts,
  followMove,
  movedParts,
  movesToDefault,
  type RecordedResource,
  rememberMove,
  staysInPlace,
} from "./placeKey";
import { dueNow, expiredOutput } from "./procedure";

/** The effect of an update. */
export interface Diff {
  readonly changes: readonly DiffPath[];
  /**
   * Delete the old object before a replacement is created, because the new object takes its place. It does not depend on the
   * changes: the engine also replaces without one (a pending replacement that the program reverts, `replaceOnChanges`).
   */
  readonly deleteFirst: boolean;
  /** The preview's messages in addition to the changes. */
  readonly notes: readonly string[];
}

/** One path that an update would change. */
export interface DiffPath {
  /** The path in the form in which values are compared. */
  readonly path: Path;
  /** The path in the current or previous inputs of the program. There are no paths inside a text. */
  readonly written: Path;
  readonly kind: "add" | "update" | "delete";
  readonly cause: Change["cause"];
  readonly replaces: boolean;
  /** The difference between the values; undefined if a reason other than the values changes the path. */
  readonly difference?: Difference;
}

/** Compares the records of a resource with the program's current inputs. It reads nothing from the server. */
export function diff(definition: AnyDefinition, input: PreviewInput, old: Inputs, written: Inputs): Diff {
  const { connection, places } = input;
  // A procedure (issued credentials, a check-out) does not move: its lease ends with the move.
  const follows = places?.hasMoves && !hasLifecycle(definition, "procedure");
  const outputs = follows ? followMove(definition, input, old) : old;
  const records = recordsIn(definition, outputs);
  const inputs = effectiveInputs(definition, input, records, written);
  const recorded: RecordedResource = { definition, connection, records, inputs };
  rememberMove(recorded, places);
  const moved = changedParts(recorded);
  const changes = plannedChanges(definition, records, inputs);
  const over = expiredOutput(recorded);
  const due = dueNow(recorded);
  const needsAnother = requiresReplacement(definition, records, inputs);
  const dropped = droppedProperties(recorded);
  const added = hasLifecycle(definition, "object") ? addedAsEmpty(definition, records, inputs, changes) : [];
  // The next `pulumi up` continues a procedure that stopped. It also creates an object whose create is pending. Both apply even
  // if the engine no longer knows about the failure.
  const isContinued =
    hasPendingCreate(records) || (hasLifecycle(definition, "procedure") && records.pending !== undefined);
  const paths: DiffPath[] = [
    ...moved.map((name) =>
      whole([name], { kind: kindOf(records.lastApplied[name], inputs[name]), replaces: true }),
    ),
    // The object moved with its parent: no request is sent, and the state gets the new address.
    ...(outputs === old ? [] : movedParts(recordsIn(definition, old), records)).map((name) => whole([name])),
    ...changes.map((change) => changedPath(recorded, change, needsAnother(change))),
    ...(over ? [whole([over.output], { cause: "drift", replaces: true })] : []),
    ...(due ? [whole([due.output], { cause: "drift", replaces: due.isReplacement })] : []),
    // No request is sent for these properties. The state must record that the program no longer writes them, so that the note
    // appears only once.
    ...dropped.map((path) => whole(path, { kind: "delete" })),
    // Changed secret marks update only the state's encryption.
    ...secretMarkChanges(recorded).map((path) => whole(path)),
    // A changed source of a secret updates only the state, and sends no request.
    ...secretSourceChanges(recorded).map((path) => whole(path)),
    // These values were never read, so an update reads them even if it has nothing to send.
    ...added.map((name) => whole([name], { kind: "add" })),
    ...(isContinued ? [whole([])] : []),
  ];
  const replaces = new Set(
    paths.flatMap(({ replaces, path: [name = ""] }) => (replaces ? [String(name)] : [])),
  );
  return {
    changes: paths,
    deleteFirst: !isCreatedBeforeDelete(definition) && staysInPlace(recorded, moved),
    notes: [
      ...(over ? [`${over.output} ${over.end} has passed, so pulumi up replaces the resource`] : []),
      ...(due ? [due.note] : []),
      ...(replaces.size > 0 ? movesToDefault(recorded) : []),
      ...rotatedSecrets(recorded),
      ...dropped
        .map(formatPath)
        .map(
          (name) =>
            `the program no longer contains ${name}; the server has no default for ${name}, so the value on the server stays`,
        ),
      ...editedAfterCreate(recorded).map(
        (name) => `only a create sends ${name}: the change has no effect on the existing object`,
      ),
      ...(isContinued ? [`the unfinished operation continues: ${records.pending?.reason}`] : []),
      ...(definition.notes?.({
        step: "update",
        inputs,
        changed: changes.map(({ path }) => path),
        outputs,
        replaces: [...replaces],
      }) ?? []),
    ],
  };
}

/** A difference whose path is equal in the compared form and in the program. */
function whole(path: Path, more: Partial<DiffPath> = {}): DiffPath {
  return { path, written: path, kind: "update", cause: "program", replaces: false, ...more };
}

/** The path of a change, in both forms. A text stays if a member of its document is added or removed. */
function changedPath(recorded: RecordedResource, change: Change, replaces: boolean): DiffPath {
  const { path, field, from, to, kind, cause } = change;
  const written = programPath(recorded, path);
  const isInText = written.length === 1 && path.length > 1;
  return {
    path,
    written,
    kind: isInText ? "update" : kind,
    cause,
    replaces,
    difference: { path, field, base: from, ours: to, theirs: from },
  };
}

function kindOf(before: unknown, now: unknown): DiffPath["kind"] {
  if (!isWritten(before)) return "add";
  return isWritten(now) ? "update" : "delete";
}

/**
 * The path of a change in the program's inputs. If the program no longer writes the value, the path is in the previous
 * inputs.
 */
function programPath({ definition, records, inputs }: RecordedResource, path: Path): Path {
  const [name = ""] = path;
  const [now, before] = [inputs, records.lastApplied].map((each) => {
    const value = each[name];
    if (value === undefined || value === null) return undefined;
    return typeof value === "string" ? [name] : writtenPath(definition, each, path);
  });
  const isThere = now !== undefined && valueAt(inputs, now) !== undefined;
  return (isThere ? now : (before ?? now)) ?? path;
}

/** The properties, and members of them, that the program no longer writes and that the server has no default for. */
function droppedProperties({ definition, records: { lastApplied }, inputs }: RecordedResource): Path[] {
  return droppedAmong(fieldsOf(definition), lastApplied, inputs);
}

function droppedAmong(fields: readonly Field[], before: Inputs, now: Inputs, above: Path = []): Path[] {
  return fields.flatMap(({ name, facts, children = [] }) => {
    const [old, own] = [before[name], now[name]];
    if (!isWritten(old)) return [];
    if (!isWritten(own)) return facts.notRestored ? [[...above, name]] : [];
    return isObject(old) && isObject(own) ? droppedAmong(children, old, own, [...above, name]) : [];
  });
}

/** The edited properties that only a create sends. */
function editedAfterCreate({ definition, records: { lastApplied }, inputs }: RecordedResource): string[] {
  return fieldsOf(definition)
    .filter(({ facts }) => facts.writeOnly === "create-only")
    .filter(
      (field) =>
        !same(canonicalField(field, lastApplied[field.name]), canonicalField(field, inputs[field.name])),
    )
    .map(({ name }) => name);
}

/** The paths whose secret mark in the program changed since the last write. Leaves out paths that are always encrypted. */
function secretMarkChanges({ definition, records, inputs }: RecordedResource): Path[] {
  const { secretPaths: before } = metadataOf(records.lastApplied);
  const { secretPaths: now, ignoredPaths: ignored } = metadataOf(inputs);
  const moved = [
    ...now.filter((path) => !before.includes(path)),
    ...before.filter((path) => !now.includes(path)),
  ];
  // An ignored property has the marks of the state, which may come from copied secrets.
  const always = new SecretMap(definition);
  return moved
    .filter((path) => !ignored.some((above) => isWithinPath(path, above)))
    .map(parsePath)
    .filter((path) => !always.isWithinSecret(path));
}

/** The paths whose secret source changed in the program since the last write, or was added or removed. */
function secretSourceChanges({ records, inputs }: RecordedResource): Path[] {
  const { secretSources: before } = metadataOf(records.lastApplied);
  const { secretSources: now } = metadataOf(inputs);
  const paths = [...new Set([...Object.keys(before), ...Object.keys(now)])];
  return paths.filter((path) => !isSameSource(before[path], now[path])).map(parsePath);
}

/** The secrets that changed although their source in the program is the same as at the last write. */
function rotatedSecrets({ records: { lastApplied }, inputs }: RecordedResource): string[] {
  const { secretSources: before } = metadataOf(lastApplied);
  return Object.entries(metadataOf(inputs).secretSources).flatMap(([path, source]) => {
    const at = parsePath(path);
    const isRotated = isSameSource(before[path], source) && valueAt(lastApplied, at) !== valueAt(inputs, at);
    return isRotated ? [`${path}: the value behind ${sourceText(source)} has changed`] : [];
  });
}
