import fc from "fast-check";
import { withRecordsRead } from "../../../../provider/core/bridge/records";
import { fieldNamed } from "../../../../provider/core/language/fields";
import type { AnyDefinition } from "../../../../provider/core/language/resource";
import { RECORDS } from "../../../../provider/core/state/records";
import { valueAt } from "../../../../provider/core/value/path";
import { allFunctions } from "../../../../provider/functions";
import { SPELLINGS } from "../../../redact/spellings";
import { rounds } from "../../../rounds";
import { argumentsOf, namesIn } from "../../../steps/argumentsOf";
import { oneTimeActions } from "../../../steps/oneTimeActions";
import { procedures } from "../../../steps/procedures";
import { subjects } from "../../../steps/subjects";
import type { World } from "../../../steps/world";
import { type Bag, type CallError, type State, secret } from "./calls";
import { invocation } from "./functionsOf";
import { callsOf, MARK, plainOf, shownOf } from "./plainText";
import { type Leaf, leavesOf, type Planted, planted, put } from "./plantedSecrets";

const URN = "urn:pulumi:dev::platform::quarterdeck:x:Y::it";

/** A server and a program for the test of a definition. */
interface Trial {
  readonly definition: AnyDefinition;
  readonly isVariant?: boolean | undefined;
  scene(): Promise<{ world: World; program: Bag }>;
}

const all: readonly (readonly [string, Trial])[] = [
  ...subjects.map(([token, { definition, world, programs, isVariant }]) => {
    const [first = {}, ...others] = fc.sample(programs, { numRuns: rounds(6, 3), seed: 7 });
    // The longest program has the most paths for secrets.
    const program = others.reduce<Bag>((most, one) => (sizeOf(one) > sizeOf(most) ? one : most), first);
    const scene = async () => ({ world: await world(), program });
    return [token, { definition, isVariant, scene }] as const;
  }),
  ...oneTimeActions.map(([token, action]) => [token, action] as const),
  ...procedures.map(([token, trial]) => [token, trial] as const),
];

function sizeOf(program: Bag): number {
  return JSON.stringify(program).length;
}

/** A normal test run fails every n-th request; `npm run soak -- properties` fails every request. */
const EVERY = rounds(1, 17);

describe.each(all)("%s", (_, trial) => {
  test("no answer, error or log line contains a secret in plain text, even if the server quotes it", async () => {
    const leaves = await plantable(trial);
    const { messages, requests, own } = await lifeCycle(trial, leaves);
    expect(messages.length).toBeGreaterThan(8);
    expectNothing(own, messages);
    for (let at = 0; at < requests; at += EVERY) {
      const spelling = Object.values(SPELLINGS)[at % Object.keys(SPELLINGS).length] ?? String;
      for (const [status, isCanceled] of [[400], [500], [500, true]] as const) {
        const quoted = await lifeCycle(trial, leaves, {
          at,
          status,
          spelling,
          ...(isCanceled && { isCanceled }),
        });
        expectNothing(quoted.own, quoted.messages);
      }
    }
  });
});

/** A message; before the marks are known, it is searched only for fields that are secret by definition. */
interface Line {
  readonly text: string;
  readonly knowsMarks: boolean;
}

interface Secrets {
  readonly own: readonly string[];
  readonly marked: readonly string[];
}

function expectNothing({ own, marked }: Secrets, messages: readonly Line[]): void {
  const shown = messages.flatMap(({ text, knowsMarks }) =>
    [...own, ...(knowsMarks ? marked : [])].flatMap((canary) =>
      shownOf(canary, text).length > 0 ? [`${canary}: ${around(text, canary)}`] : [],
    ),
  );
  expect(shown).toEqual([]);
}

function around(text: string, canary: string): string {
  const at = Math.max(0, text.indexOf(canary) - 200);
  return text.slice(at, at + 500);
}

interface Fault {
  readonly at: number;
  readonly status: number;
  readonly spelling: (text: string) => string;
  /** Whether the engine cancels everything at the same time. */
  readonly isCanceled?: boolean;
}

/** The complete life cycle of one resource, with a unique text for every secret. */
async function lifeCycle(
  { definition, scene }: Trial,
  leaves: readonly Leaf[],
  fault?: Fault,
): Promise<{ messages: Line[]; requests: number; own: Secrets }> {
  const { world, program } = await scene();
  const first = planted(definition, program, leaves);
  // An engine replaces an object instead of updating an immutable property.
  const isFixed = ({ path: [name] }: Leaf) => fieldNamed(definition, String(name))?.facts.immutable === true;
  const updatable = leaves.filter((leaf) => !isFixed(leaf));
  const kept = leaves
    .filter(isFixed)
    .reduce<unknown>((all, { path }) => put(all, path, valueAt(first.program, path)), program);
  const [second, third] = [2, 3].map(() => planted(definition, kept as Bag, updatable)) as [Planted, Planted];
  const secrets = {
    own: [first, second, third].flatMap(({ own }) => own),
    marked: [first, second, third].flatMap(({ marked }) => marked),
  };
  world.requests.length = 0;
  world.logged.length = 0;
  const made: string[] = [];
  world.onResponse = (_, { json }) => {
    for (const text of generatedIn(json)) if (!made.includes(text)) made.push(text);
  };
  // The server quotes secrets that it received or stores.
  let known = [...first.own, ...first.marked];
  world.fate = () => {
    if (fault === undefined || world.requests.length - 1 !== fault.at) return "passes";
    const quotes = (known.length > 0 ? [...known, ...made] : [])
      .map((text) => `${fault.spelling(text)} is refused`)
      .join(", ");
    const text = fault.at % 2 === 0 ? JSON.stringify({ errors: [quotes] }) : quotes;
    if (fault.isCanceled) canceling.abort(new Error("canceled"));
    return { answer: { status: fault.status, text }, isCarriedOut: false };
  };
  const messages: Line[] = [];
  const end = () => {
    const own = [...secrets.own, ...made];
    return { messages, requests: world.requests.length, own: { ...secrets, own } };
  };
  const canceling = new AbortController();
  const calls = callsOf(definition, world, canceling.signal);
  const record = async <T>(call: Promise<T>, knowsMarks = true): Promise<T | CallError | undefined> => {
    const answer = await call.catch((error: unknown) => error as CallError);
    const parts = [plainOf(answer), ...recordsOf(definition, answer), ...world.logged.splice(0)];
    messages.push({ text: parts.join("\n"), knowsMarks });
    return answer;
  };
  const checked = inputsIn(await record(calls.check(URN, {}, first.program))) ?? first.program;
  await record(calls.check(URN, {}, withWrongTypes(first.program)));
  await record(calls.create(URN, checked, { preview: true }));
  const begun = stateIn(await record(calls.create(URN, checked)), checked);
  if (begun === undefined) return end();
  const { id, state } = begun;
  await record(calls.read(URN, id, state));
  // A call without a state knows none of its secrets and cannot redact them, so the server quotes none here.
  const knownBefore = known;
  known = [];
  await record(calls.read(URN, id), false);
  await record(calls.list(definition.token), false);
  const object = namesIn({ ...program, ...definition.where.id.parse(id)?.address });
  for (const one of fault ? [] : allFunctions()) {
    const args = one.service === definition.service ? argumentsOf(one, object) : undefined;
    if (args === undefined) continue;
    await record(invocation(one, world, args, true), false);
    const answer = await record(invocation(one, world, args), false);
    if (!(answer instanceof Error)) answered.add(one.token);
  }
  known = knownBefore;
  const wanted = inputsIn(await record(calls.check(URN, state.inputs, second.program))) ?? second.program;
  known = [...known, ...second.own, ...second.marked];
  await record(calls.diff(URN, id, state, wanted));
  await record(calls.update(URN, id, state, wanted, { preview: true }));
  const updated = stateIn(await record(calls.update(URN, id, state, wanted)), wanted, id);
  const now = updated?.state ?? state;
  known = updated ? [...second.own, ...second.marked] : [...first.own, ...first.marked];
  // Someone else's secrets in a read, in a conflict, and in a state that no program wrote.
  const someoneElse = callsOf(definition, world.another());
  await someoneElse.update(URN, id, now, third.program).catch(() => undefined);
  await record(calls.read(URN, id, now));
  known = [...new Set([...known, ...first.own, ...first.marked])];
  await record(calls.update(URN, id, now, checked));
  await record(calls.check(URN, now.inputs, withWrongTypes(second.program)));
  known = updated ? [...second.own, ...second.marked] : [...first.own, ...first.marked];
  await record(calls.delete(URN, id, now));
  await record(calls.delete(URN, "not an id", now));
  return end();
}

/** The unmarked records of an answer, unpacked so that the search finds secrets in them. */
function recordsOf(definition: AnyDefinition, answer: unknown): string[] {
  if (typeof answer !== "object" || answer === null) return [];
  const own = withRecordsRead(definition, answer as Bag)[RECORDS];
  const below = Object.values(answer).flatMap((part) => recordsOf(definition, part));
  return typeof own === "string" ? [own, ...below] : below;
}

/** The functions that returned a result in at least one life cycle. */
const answered = new Set<string>();

/** The members of answers with secrets that the server generates. */
const GENERATED: ReadonlySet<string> = new Set([
  ...["password", "last_password", "secret_key", "security_token", "session_token", "token"],
  "keys_base64",
]);

/** The values of these members. */
function generatedIn(value: unknown, isMade = false): string[] {
  if (typeof value === "string") return isMade && value.length >= SHORTEST ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((part) => generatedIn(part, isMade));
  if (typeof value !== "object" || value === null) return [];
  // A list of names also has a member called keys.
  const isShares = "keys_base64" in value;
  return Object.entries(value).flatMap(([name, part]) =>
    generatedIn(part, isMade || GENERATED.has(name) || (isShares && name === "keys")),
  );
}

/** Shorter texts may occur anywhere. */
const SHORTEST = 12;

/** A program with a value of an unexpected type for every text; marks stay. */
function withWrongTypes(value: Bag): Bag;
function withWrongTypes(value: unknown): unknown;
function withWrongTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((part) => withWrongTypes(part));
  if (typeof value !== "object" || value === null) return { it: value, is: [value] };
  // The mark itself stays unchanged.
  if (MARK in value && "value" in value) return { ...value, value: withWrongTypes(value.value) };
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withWrongTypes(part)]));
}

function inputsIn(answer: unknown): Bag | undefined {
  const { inputs } = Object(answer);
  return inputs;
}

/** What an engine stores of an answer or of a partially created resource. */
function stateIn(answer: unknown, inputs: Bag, known?: string): { id: string; state: State } | undefined {
  const { id = known, outputs, halfMade } = Object(answer);
  if (halfMade) return { id: halfMade.id, state: { inputs: halfMade.inputs, outputs: halfMade.properties } };
  return outputs && id ? { id, state: { inputs, outputs } } : undefined;
}

/** The texts of a program that may have any value and are not part of the ID. */
async function plantable({ definition, scene }: Trial): Promise<Leaf[]> {
  const { program } = await scene();
  const leaves: Leaf[] = [];
  for (const leaf of leavesOf(program)) {
    const { world } = await scene();
    const calls = callsOf(definition, world);
    const { program: own, marked, own: secrets } = planted(definition, program, [leaf]);
    const { inputs, failures } = await calls.check(URN, {}, own);
    if (failures.length > 0) continue;
    const made = await calls.create(URN, inputs).catch(() => undefined);
    if (made === undefined || [...marked, ...secrets].some((text) => made.id.includes(text))) continue;
    leaves.push(leaf);
  }
  return leaves;
}

/** Functions that need objects which no life cycle creates; tests/services covers their results. */
const WITHOUT_RESULT = [
  "workspaces:getProject",
  "workspaces:getAgentPool",
  "workspaces:getSshKey",
  "workspaces:getVariableSet",
  "workspaces:getOauthClient",
  "workspaces:getTeam",
  "secrets:getMount",
  "secrets:getAuthMethod",
  "secrets:getRecoveryKeyBackup",
  "secrets:getEntity",
  "secrets:getGroup",
];

test("every function returns a result, except watches, functions replaced by resources, and the exceptions", () => {
  const silent = allFunctions().filter(
    ({ token, asks, replaced }) => asks.kind !== "watch" && replaced === undefined && !answered.has(token),
  );
  expect(silent.map(({ token }) => token)).toEqual(WITHOUT_RESULT);
});

test("the search finds a value in plain text and not a marked one", () => {
  expect(
    shownOf("canary0123456789abcdef01234567", plainOf({ a: "canary0123456789abcdef01234567" })),
  ).not.toEqual([]);
  expect(
    shownOf("canary0123456789abcdef01234567", plainOf({ a: secret("canary0123456789abcdef01234567") })),
  ).toEqual([]);
});
