import type { Difference } from "../diff/threeWay";
import { subjectOf } from "../language/address";
import type { Problem } from "../language/rules";
import type { StepInput } from "../language/stepInput";
import { check } from "../operations/check";
import { type Diff, type DiffPath, diff } from "../operations/diff";
import { rememberChecked, rememberCompared } from "../operations/places";
import { readText, rememberReading, type TextRead, textFingerprint } from "../operations/readText";
import { ConfigurationError } from "../requests/given";
import { updateTable } from "../state/conflictTable";
import { propertiesOf } from "../state/errors";
import { parseRecords, writesIn } from "../state/records";
import { secretMapOf } from "../state/redaction";
import type { SecretMap } from "../state/secretMap";
import { formatPath, isWithinPath, parsePath } from "../value/path";
import { metadataOf } from "../value/programInputs";
import { hasUnknown, type Inputs } from "../value/unknown";
import type { Call } from "./call";
import { withAsideProperty } from "./engineValues";
import { type Neighbor, subjectText } from "./notices";

/** The result of a check: the inputs for the state, and the problems with secrets masked. */
export interface Checked {
  readonly inputs: Inputs;
  readonly problems: readonly Problem[];
}

/**
 * Checks the program's inputs against the inputs in the state, and prints the notes for a new resource.
 * @param read the fingerprint of the parsed text, according to the state
 */
export async function checkInputs(
  call: Call,
  earlier: Inputs | undefined,
  read: string | undefined,
): Promise<Checked> {
  const { definition, redactor, secrets } = call;
  const { inputs: written } = call.values;
  const found = await findProblems(call, written, earlier ?? {}, read);
  const reasons = [...secrets.problems, ...found.problems];
  if (reasons.length === 0) {
    const step = { step: "create", inputs: found.inputs, changed: [] } as const;
    const own = earlier === undefined ? definition.notes?.(step) : undefined;
    const onReplaced = call.host.going.notesOnReplaced(neighborOf(call), found.inputs);
    for (const note of [...found.notes, ...(own ?? []), ...onReplaced]) call.warn(note);
    reasons.push(...rememberChecked(definition, call.input(), found.inputs));
  }
  const problems = shownProblems(reasons, secretMapOf(definition, written, redactor));
  return { inputs: withAsideProperty(secrets.inputs(found.inputs), found.read), problems };
}

/** The problems of some inputs, and the fingerprint of their text if it is parsed. */
export async function findProblems(
  call: Call,
  inputs: Inputs,
  earlier: Inputs,
  read: string | undefined,
): Promise<TextRead & { readonly read?: string | undefined }> {
  const { definition } = call;
  if (hasUnknown(inputs.connection)) {
    const reason = "must be known in the preview: write the value as a plain string";
    return { inputs, problems: [{ path: "connection", reason }], notes: [] };
  }
  try {
    const input = call.input();
    // A state of an earlier version stores the parsed text there.
    rememberReading(input, metadataOf(earlier).parsedText);
    const text = textFingerprint(definition, inputs);
    // The parsed form is in the records, which a check does not receive.
    if (text !== undefined && text === read)
      return { inputs, problems: check(definition, input, inputs), notes: [], read: text };
    const found = await readText(definition, input, [earlier], inputs);
    const problems = [...check(definition, input, found.inputs), ...found.problems];
    return { ...found, problems, read: metadataOf(found.inputs).parsedText?.of };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { inputs, problems: error.problems, notes: [] };
  }
}

/**
 * Compares the program's inputs with the state.
 * @param read the fingerprint of the text that a check reported as parsed
 * @param hidesSecretProperties true if the engine hides a property completely that contains a secret
 */
export async function diffInputs(
  call: Call,
  read: string | undefined,
  hidesSecretProperties = false,
): Promise<Diff> {
  const { definition } = call;
  const { outputs = {} } = call.values;
  const input = call.input();
  const inputs = await withTextParsed(call, outputs, read);
  const found = diff(definition, input, outputs, inputs);
  rememberCompared(definition, input, { outputs, inputs }, found.changes.length > 0);
  const onNaming = call.host.going.notesOnNaming(neighborOf(call), found, outputs);
  for (const note of [...found.notes, ...onNaming]) call.warn(note);
  const secrets = secretMapOf(definition, inputs, call.redactor, parseRecords(outputs)?.lastApplied);
  // A refresh also compares entries, but it checks no inputs and logs the drift itself.
  if (input.places?.hasChecked === true)
    logHiddenChanges(input, hiddenChanges(found, inputs, hidesSecretProperties), secrets);
  return { ...found, changes: shownChanges(found.changes, secrets) };
}

/**
 * The changes that the engine does not show: those inside a text, such as HCL, of which it shows the complete texts, and those
 * beside a secret, if it hides the complete property.
 */
function hiddenChanges({ changes }: Diff, inputs: Inputs, hidesSecretProperties: boolean): Difference[] {
  const { secretPaths } = metadataOf(inputs);
  const containsSecret = (name: string) =>
    secretPaths.some((path) => path !== name && isWithinPath(path, name));
  return changes.flatMap(({ difference, path, written: [name = "", ...inside] }) => {
    const isInText = inside.length === 0 && path.length > 1;
    const isHidden = isInText || (hidesSecretProperties && containsSecret(String(name)));
    return isHidden && difference ? [difference] : [];
  });
}

function logHiddenChanges({ log }: StepInput, differences: readonly Difference[], secrets: SecretMap): void {
  if (differences.length === 0) return;
  const properties = propertiesOf(differences);
  const text = [`changes in ${properties.join(" and ")}:`, ...updateTable(differences, secrets)].join("\n");
  log("info", text, { properties });
}

/**
 * The inputs of a diff with the parsed form of their text. The check may have relied on the records for it. If the records
 * do not contain it (nothing was written, because the result was equal), the service parses the text once more.
 */
async function withTextParsed(call: Call, outputs: Inputs, read: string | undefined): Promise<Inputs> {
  const { definition } = call;
  const { inputs: written } = call.values;
  const input = call.input();
  if (read === undefined || read !== textFingerprint(definition, written) || input.readings?.get(read))
    return written;
  const earlier = writesIn(parseRecords(outputs));
  const { inputs, problems, notes } = await readText(definition, input, earlier, written);
  const [problem] = problems;
  if (problem !== undefined) throw new Error(`${problem.path}: ${problem.reason}`);
  for (const note of notes) call.warn(note);
  return inputs;
}

function neighborOf(call: Call): Neighbor {
  const { definition, values } = call;
  const { connection } = call.input();
  const subject = subjectOf(definition, connection, values.inputs, values.id);
  return { definition, connection, subject: subjectText(subject) };
}

/** Changes with paths that the engine may print. */
function shownChanges(changes: readonly DiffPath[], secrets: SecretMap): DiffPath[] {
  return changes.map((change) => {
    const written = secrets.shownPath(change.written);
    return written.length === change.written.length ? change : { ...change, written, kind: "update" };
  });
}

/** Problems with paths that the engine may print, and without secrets in their reasons. */
function shownProblems(problems: readonly Problem[], secrets: SecretMap): Problem[] {
  return problems.map(({ path, reason }) => {
    const segments = parsePath(path);
    const shown = secrets.shownPath(segments);
    const own = shown.length < segments.length ? formatPath(shown) : path;
    return { path: own, reason: secrets.mask(reason) };
  });
}

/** A problem as one line. */
export function problemText({ path, reason }: Problem): string {
  return path ? `${path}: ${reason}` : reason;
}
