import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { Specified } from "../../language/fields";
import type { AnyDefinition } from "../../language/resource";
import { isSecretPathExactly } from "../../state/secrets";
import { asideOf, withAside } from "../../value/aside";
import { isObject } from "../../value/json";
import { formatPath, type Path, valueAt } from "../../value/path";
import type { Inputs } from "../../value/unknown";
import type { Bag } from "../asideProperty";
import type { Call } from "../call";
import { fromEngine, MARK, PROVIDER, SECRET, toEngine } from "../engineValues";
import { outputsToEngine, type State, stateOf } from "../records";
import { placesOf } from "./details";

/** Properties as the engine sent them, and where it, or a program, marked what is secret. */
export interface Received extends State {
  readonly marks: readonly Path[];
}

/** What a message holds; nothing where it holds none. */
export function received(struct: Struct | undefined): Received {
  const marks: Path[] = [];
  const bag = unmarkedMembers(struct?.toJavaScript() ?? {}, [], marks);
  return { values: fromEngine(bag), bag, marks };
}

/**
 * The outputs of a resource that a state holds; they are believed to be as the engine kept them.
 * @throws UnreadableRecordsError as `stateOf` does
 */
export function receivedState(definition: AnyDefinition, struct: Struct | undefined): Received {
  const state = received(struct);
  return { ...state, ...stateOf(definition, state.bag) };
}

/**
 * The values of a program: what it marked goes along with them, as it does from the dynamic bridge's SDK; but for what is
 * secret whoever writes it, which every SDK marks.
 */
export function written(definition: Specified, { values, marks }: Received): Inputs {
  const along = asideOf(values);
  const own = marks.filter((path) => !isSecretPathExactly(definition, {}, path));
  const secrets = new Set([...(along.secrets ?? []), ...own.map(formatPath)]);
  return withAside(values, { ...along, secrets: [...secrets] });
}

/** The same values, of which a program ignores what others do at these paths. */
export function ignoring(values: Inputs, ignored: readonly string[]): Inputs {
  return withAside(values, { ...asideOf(values), ignored });
}

/**
 * What was sent without the marks of copies of a known secret: their places are secret only as long as the copies are there.
 */
export function withoutCopies(call: Call, sent: Received): Received {
  const { inputs } = call.values;
  const isCopy = call.copyIn(inputs);
  const isOwn = (path: Path) => isSecretPathExactly(call.definition, inputs, path);
  const marks = sent.marks.filter((path) => isOwn(path) || !isCopy(path, valueAt(sent.values, path)));
  return { ...sent, marks };
}

function unmarked(value: unknown, path: Path, marks: Path[]): unknown {
  if (Array.isArray(value)) return value.map((part, index) => unmarked(part, [...path, index], marks));
  if (!isObject(value)) return value;
  if (value[MARK] === SECRET) {
    marks.push(path);
    // What is marked in what is marked is secret with it.
    return unmarked(value.value, path, []);
  }
  return unmarkedMembers(value, path, marks);
}

function unmarkedMembers(members: Bag, path: Path, marks: Path[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, unmarked(member, [...path, name], marks)]),
  );
}

/**
 * An answer for the engine. Secret in it is what the definition, the program or the records say; and, as the engine itself
 * has it for providers that know no marks, whatever stands where something secret stood in what was sent: of a list alone
 * that place, where it is proven that the secret came back there and nowhere else, and else the list as a whole, because a
 * service may give it back in another order.
 */
export function answer(call: Call, values: Bag, inputs: Inputs, ...sent: readonly Received[]): Struct {
  return structOf(toEngine(values, secretsOf(call, values, inputs, sent)));
}

function secretsOf(call: Call, values: Bag, inputs: Inputs, sent: readonly Received[]) {
  // What is answered is JSON, but for what is not known yet.
  const marks = new Set(placesOf(sent, values as Inputs).map(formatPath));
  const isSecret = call.secretIn(values, inputs);
  return (path: Path, value: unknown): boolean => marks.has(formatPath(path)) || isSecret(path, value);
}

/**
 * The outputs of a resource for the engine. Where the state has the text by which the dynamic host finds its provider, it
 * stays: the engine hands that host a state as it is, should the stack go back to it.
 * @param first what was sent of the resource, its state where it has one
 */
export function outputsAnswer(
  call: Call,
  outputs: Bag,
  first?: Received,
  ...sent: readonly Received[]
): Struct {
  const { [PROVIDER]: text } = first?.bag ?? {};
  const all = text === undefined ? outputs : { ...outputs, [PROVIDER]: text };
  const isSecret = secretsOf(call, outputs, call.values.inputs, first ? [first, ...sent] : sent);
  return structOf(outputsToEngine(call.definition, all, isSecret, first));
}

/** Values in which nothing is to be marked any more. */
export function structOf(values: Bag): Struct {
  // JSON and marks are what a struct holds.
  return Struct.fromJavaScript(values as Parameters<typeof Struct.fromJavaScript>[0]);
}
