import type { Redactor } from "../../../packages/redact";
import { withoutStack } from "../http/errors";
import type { RequestOrigin } from "../http/request";
import { knownFactsOf } from "../language/facts";
import type { Specified } from "../language/fields";
import type { Values } from "../language/object";
import type { Connection } from "../language/service";
import type { RequestContext, StepInput } from "../language/stepInput";
import { check } from "../operations/check";
import { logWarnings, withMiddleware } from "../requests/middleware";
import { redactorOf } from "../state/redaction";
import { SecretCopies } from "../state/secretCopies";
import { isSecretResult } from "../state/secretFacts";
import { isObject, type Json } from "../value/json";
import { isNamed, type Path, type Pattern } from "../value/path";
import type { Answer } from "./answer";
import { deprecationOf, type FunctionDefinition } from "./define";

/** The caller's part of a function call. */
export interface Caller {
  readonly connection: Connection;
  readonly log: StepInput["log"];
  readonly signal?: AbortSignal;
  readonly behalf?: RequestOrigin;
}

const DEFAULT_SECONDS = 60;

/**
 * Calls a function once.
 * @throws Error with every problem of the arguments, before anything is sent; and with the server's rejection, in its own
 * words, with secrets masked.
 */
export async function callFunction(
  definition: FunctionDefinition,
  args: Values,
  caller: Caller,
): Promise<Answer> {
  const redactor = redactorOf(definition, args);
  redactor.addKnown(caller.connection.redactor);
  return withPlainErrors(redactor, async () => {
    const why = deprecationOf(definition);
    if (why !== undefined) throw new Error(why);
    const context = contextFor(definition, args, caller, redactor);
    const { asks } = definition;
    if (asks.kind === "watch")
      throw new TypeError(
        `${definition.token} is a watch function: iterate over its results instead of calling it`,
      );
    const answer = await (asks.kind === "call" ? asks.call(context, args) : asks.collect(context, args));
    return answerOf(definition, redactor, answer);
  });
}

/** Yields the elements of a list one by one, or the responses of a watch as they arrive. */
export async function* iterateFunction(
  definition: FunctionDefinition,
  args: Values,
  caller: Caller,
): AsyncGenerator<Json, void, void> {
  const { asks } = definition;
  if (asks.kind === "call")
    throw new TypeError(
      `${definition.token} returns one result: call the function instead of iterating over it`,
    );
  const redactor = redactorOf(definition, args);
  const all = await withPlainErrors(redactor, async () => {
    const context = contextFor(definition, args, caller, redactor);
    return asks.kind === "list" ? asks.items(context, args) : asks.changes(context, args);
  });
  try {
    for (;;) {
      const next = await withPlainErrors(redactor, () => all.next());
      if (next.done) return;
      yield plainItem(definition, next.value);
    }
  } finally {
    await all.return();
  }
}

/**
 * Creates the context of a call and checks its arguments.
 * @throws Error with every problem of the arguments
 */
export function contextFor(
  definition: Specified,
  args: Values,
  caller: Caller,
  redactor: Redactor,
  step = "call",
): RequestContext {
  const input = { ...caller, redactor };
  const problems = check(definition, input, args);
  if (problems.length > 0) {
    throw new Error(problems.map(({ path, reason }) => (path ? `${path}: ${reason}` : reason)).join("\n  "));
  }
  const seconds = typeof args.timeout === "number" ? args.timeout : DEFAULT_SECONDS;
  const label = { definition: definition.token, step, ...caller.behalf };
  const callTimeoutMs = seconds * 1000;
  const connection = withMiddleware(input.connection, logWarnings(input));
  return {
    ...input,
    connection,
    label,
    callTimeoutMs,
    deadline: caller.connection.runtime.now() + callTimeoutMs,
  };
}

/** The yielded value: an element of the list, or a complete response. */
function plainItem(definition: FunctionDefinition, item: Json): Json {
  const { asks } = definition;
  if (asks.kind !== "list") return isObject(item) ? plainAnswer(definition, item) : item;
  const { [asks.property]: elements } = plainAnswer(definition, { [asks.property]: [item] });
  return Array.isArray(elements) ? (elements[0] ?? null) : item;
}

function answerOf(definition: FunctionDefinition, redactor: Redactor, answer: Values): Answer {
  const result = plainAnswer(definition, answer);
  const isSecret =
    definition.isCredential ||
    isSecretResult({ ...definition, fields: definition.result }, result) ||
    (definition.hidesSecret?.(result) ?? false) ||
    new SecretCopies(redactor.knownSecrets()).isIn(result);
  return { result, isSecret };
}

/**
 * A result in values that every JSON reader accepts. Indexes and hashes are always strings, so that their type never
 * changes. Any other integer is a string if a double would round it.
 */
export function plainAnswer({ result }: FunctionDefinition, answer: Values): Values {
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => {
      const schema = result[name];
      return [name, plain(value, [], (schema && knownFactsOf(schema)?.indexes) ?? [])];
    }),
  );
}

function plain(value: Json, path: Path, indexes: readonly Pattern[]): Json {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "number") return isNamed(indexes, path) ? String(value) : value;
  if (Array.isArray(value)) return value.map((element, index) => plain(element, [...path, index], indexes));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, plain(member, [...path, name], indexes)]),
  );
}

/** The service lacks the part that the request is about, such as an engine that is not mounted. */
export class Lacking extends Error {
  constructor(
    message: string,
    readonly why: string,
  ) {
    super(message);
  }
}

/** Runs a function and masks the secrets in the messages of its errors. The caller adds the name of the call. */
export async function withPlainErrors<T>(redactor: Redactor, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const message = redactor.mask(withoutStack(error).message);
    throw error instanceof Lacking ? new Lacking(message, error.why) : new Error(message);
  }
}
