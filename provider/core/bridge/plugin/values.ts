import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Specified } from "../../language/fields";
import type { AnyDefinition } from "../../language/resource";
import { SecretMap } from "../../state/secretMap";
import { isObject } from "../../value/json";
import { formatPath, type Path, valueAt } from "../../value/path";
import { metadataOf, type ProgramInputs, withMetadata } from "../../value/programInputs";
import type { Inputs } from "../../value/unknown";
import type { Call } from "../call";
import { type Bag, fromEngine, MARK, PROVIDER, SECRET, toEngine } from "../engineValues";
import { outputsToEngine, type State, stateOf } from "../records";
import { secretPathsIn } from "./details";

/** Properties as the engine sent them, and the paths that the engine or a program marked secret. */
export interface Received extends State {
  readonly marks: readonly Path[];
}

/** The properties in a message; empty if there are none. */
export function parseProperties(struct: Struct | undefined): Received {
  const marks: Path[] = [];
  const bag = removeMarksOfMembers(struct?.toJavaScript() ?? {}, [], marks);
  return { values: fromEngine(bag), bag, marks };
}

/**
 * The outputs of a resource in a state. They are trusted to be as the engine stored them.
 * @throws UnreadableRecordsError as `stateOf` does
 */
export function parseState(definition: AnyDefinition, struct: Struct | undefined): Received {
  const state = parseProperties(struct);
  return { ...state, ...stateOf(definition, state.bag) };
}

/**
 * The values of a program together with its secret marks, as the dynamic bridge's SDK sends these. Leaves out marks on paths
 * that are always secret, which every SDK adds.
 */
export function programInputsOf(definition: Specified, { values, marks }: Received): ProgramInputs {
  const always = new SecretMap(definition);
  const own = marks.filter((path) => !always.isWithinSecret(path));
  const secretPaths = new Set([...metadataOf(values).secretPaths, ...own.map(formatPath)]);
  return withMetadata(values, { secretPaths: [...secretPaths] });
}

/** The same values. The program ignores changes by others at these paths. */
export function ignoring(values: ProgramInputs, ignoredPaths: readonly string[]): ProgramInputs {
  return withMetadata(values, { ignoredPaths });
}

/**
 * The sent values without the marks of copies of a known secret. The paths of copies are secret only as long as the copies
 * exist.
 */
export function withoutCopies(call: Call, sent: Received): Received {
  const { inputs } = call.values;
  const isCopy = call.copyIn(inputs);
  const own = new SecretMap(call.definition, inputs);
  const marks = sent.marks.filter(
    (path) => own.isWithinSecret(path) || !isCopy(path, valueAt(sent.values, path)),
  );
  return { ...sent, marks };
}

function removeMarks(value: unknown, path: Path, marks: Path[]): unknown {
  if (Array.isArray(value)) return value.map((part, index) => removeMarks(part, [...path, index], marks));
  if (!isObject(value)) return value;
  if (value[MARK] === SECRET) {
    marks.push(path);
    // A mark inside a marked value has no further effect.
    return removeMarks(value.value, path, []);
  }
  return removeMarksOfMembers(value, path, marks);
}

function removeMarksOfMembers(members: Bag, path: Path, marks: Path[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, removeMarks(member, [...path, name], marks)]),
  );
}

/**
 * Converts a response for the engine. A value is secret if the definition, the program or the records declare it. A value is
 * also secret if its path had a secret in the sent values, as the engine does for providers without marks. For a path in a
 * list, this applies only to that path if the secret provably came back there and at no other path. Otherwise, it applies to
 * the complete list, because a server may return lists in a different order.
 */
export function answer(call: Call, values: Bag, inputs: Inputs, ...sent: readonly Received[]): Struct {
  return structOf(toEngine(values, secretsOf(call, values, inputs, sent)));
}

function secretsOf(call: Call, values: Bag, inputs: Inputs, sent: readonly Received[]) {
  // A response is JSON, apart from unknown values.
  const marks = new Set(secretPathsIn(sent, values as Inputs).map(formatPath));
  const isSecret = call.secretIn(values, inputs);
  return (path: Path, value: unknown): boolean => marks.has(formatPath(path)) || isSecret(path, value);
}

/**
 * Converts the outputs of a resource for the engine. Preserves the text in the state with which the dynamic provider host finds its
 * provider: if the stack returns to that host, the engine passes the state unchanged.
 * @param first the first sent values of the resource: its state, if it has one
 */
export function outputsAnswer(
  call: Call,
  outputs: Bag,
  first?: Received,
  ...sent: readonly Received[]
): Struct {
  const { [PROVIDER]: text } = first?.bag ?? {};
  const own = call.secrets.outputs(outputs);
  const all = text === undefined ? own : { ...own, [PROVIDER]: text };
  const isSecret = secretsOf(call, own, call.values.inputs, first ? [first, ...sent] : sent);
  return structOf(outputsToEngine(call.definition, all, isSecret, first));
}

/** Converts values that need no further marks. */
export function structOf(values: Bag): Struct {
  // A struct contains JSON and marks.
  return Struct.fromJavaScript(values as Parameters<typeof Struct.fromJavaScript>[0]);
}
