import type { Connection } from "../connection";
import type { Address, Definition, Described, Route } from "../define";
import type { Redactor } from "../http/redact/redactor";
import type { HttpAnswer, HttpRequest, Label } from "../http/request";
import { path as encodePath } from "../http/request";
import type { Json } from "../json";
import { redactorOf } from "../redaction";
import type { Inputs } from "../unknown";

/** What a step is given, whichever bridge calls it. */
export interface StepInput {
  readonly connection: Connection;
  readonly preview: boolean;
  /** Milliseconds that the whole step may take. */
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  /** A warning or a note for the person who runs the program. */
  readonly log: (level: "info" | "warning", message: string) => void;
  /** What a long wait is waiting for. */
  readonly progress?: (message: string) => void;
  /** What masks the messages of this step; it learns what the step learns. The step makes its own where none is given. */
  readonly redactor?: Redactor;
}

/** The name of a step, as it stands in labels and messages. */
export type StepName = "check" | "diff" | "create" | "read" | "update" | "delete";

/** What it takes to send a request of a step or of a function. */
export interface CallContext extends StepInput {
  /** What its requests are called in traces. */
  readonly label: Label;
  readonly redactor: Redactor;
  /** Milliseconds since the epoch after which nothing goes on. */
  readonly deadline: number;
  /** Milliseconds that each part of it may take, where it goes on for as long as its caller likes. */
  readonly patience?: number;
}

/** The same with all its time again: for what goes on after a wait whose length nobody knew. */
export function renewed<C extends CallContext>(context: C): C {
  const { connection, patience } = context;
  return patience === undefined ? context : { ...context, deadline: connection.runtime.now() + patience };
}

/** Everything a step and the small functions beside a definition need to talk to their service. */
export interface StepContext<D extends Described = Definition> extends CallContext {
  readonly definition: D;
  readonly step: StepName;
}

const DEFAULT_TIMEOUT = {
  create: 600_000,
  update: 600_000,
  delete: 600_000,
  read: 120_000,
  check: 60_000,
  diff: 60_000,
};

/**
 * Opens a step: from here on one deadline holds for everything that it does, and every request knows its secrets.
 * @param outputs what the state holds of the resource
 */
export function contextOf<D extends Described>(
  definition: D,
  step: StepName,
  input: StepInput,
  inputs: Inputs = {},
  outputs?: Inputs,
): StepContext<D> {
  const asked = timeoutOf(inputs.timeouts, step) ?? input.timeout ?? DEFAULT_TIMEOUT[step];
  const label = { definition: definition.token, step };
  const redactor = input.redactor ?? redactorOf(definition, inputs, outputs);
  return { ...input, redactor, definition, step, label, deadline: input.connection.runtime.now() + asked };
}

function timeoutOf(timeouts: unknown, step: StepName): number | undefined {
  const value = (timeouts as Record<string, unknown> | undefined)?.[step];
  return typeof value === "number" ? value * 1000 : undefined;
}

/** Sends one of a definition's requests. */
export function send(
  context: CallContext,
  route: Route,
  address: Address,
  options: {
    nature: HttpRequest["nature"];
    query?: Readonly<Record<string, string | undefined>>;
    body?: Json;
    repeatWhile?: HttpRequest["repeatWhile"];
  },
): Promise<HttpAnswer> {
  const { connection } = context;
  const { repeatWhile } = options;
  return connection.send({
    label: context.label,
    secrets: context.redactor,
    method: route.method,
    path: filledPath(route.path, address, connection),
    query: { ...filledQuery(route.query ?? {}, address), ...options.query },
    nature: options.nature,
    deadline: context.deadline,
    ...(options.body !== undefined && { body: options.body }),
    ...(repeatWhile && { repeatWhile }),
    ...(context.signal && { signal: context.signal }),
  });
}

/** A route's path with its placeholders filled, each segment encoded; `{+mount}` may hold several segments. */
export function filledPath(template: string, address: Address, connection: Connection): string {
  return template
    .replace(/\{(\+?)(\w+)\}/g, (_, several: string, name: string) => {
      const value = address[name] ?? "";
      const encode = (segment: string) => encodePath`${segment}`;
      return several === "+" ? value.split("/").map(encode).join("/") : encode(value);
    })
    .split("/")
    .map((segment) => connection.dialect.segments?.[segment] ?? segment)
    .join("/");
}

/** A route's query with its placeholders filled; what is unset is not sent. */
export function filledQuery(
  query: Readonly<Record<string, string>>,
  address: Address,
): Record<string, string> {
  const filled: Record<string, string> = {};
  for (const [name, template] of Object.entries(query)) {
    const placeholder = /^\{(\w+)\}$/.exec(template)?.[1];
    const value = placeholder === undefined ? template : address[placeholder];
    if (value !== undefined && value !== "") filled[name] = value;
  }
  return filled;
}
