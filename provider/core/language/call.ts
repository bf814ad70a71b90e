import type { Redactor } from "../http/redact/redactor";
import type { Label } from "../http/request";
import type { Connection } from "./connection";

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
  /** Milliseconds from when a request is let through, in place of the deadline: of a look after an unclear write. */
  readonly grace?: number;
  /** Milliseconds that each part of it may take, where it goes on for as long as its caller likes. */
  readonly patience?: number;
}

/** The same with all its time again: for what goes on after a wait whose length nobody knew. */
export function renewed<C extends CallContext>(context: C): C {
  const { connection, patience } = context;
  return patience === undefined ? context : { ...context, deadline: connection.runtime.now() + patience };
}
