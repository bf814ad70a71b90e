import type { Json } from "../value/json";

/** A remedy for an error: what the user runs, sets or checks to resolve it. */
export type WayOn = Command | Setting | Removal | Import | Edit | Check;

interface Way {
  /** Its purpose, if there is a choice: `to take it over`. */
  readonly to?: string;
  /** An addition that follows the command: `, which writes it once more`. */
  readonly more?: string;
}

/** A command, possibly the failed one, that needs no change to the program. */
export interface Command extends Way {
  /** `again`: the same command; `refresh`: a refresh, then the same command; `look`: a preview, which changes nothing. */
  readonly kind: "again" | "refresh" | "look";
  /** The commands as a user types them. */
  readonly runs: string;
}

/** Set a property of the resource to this value, then run the same command. */
export interface Setting extends Way {
  readonly kind: "set";
  readonly property: string;
  readonly value: Json;
}

/** Delete the object manually, then run the same command. */
export interface Removal extends Way {
  readonly kind: "remove";
  readonly what: string;
}

/** Import the object into the state by its id. */
export interface Import extends Way {
  readonly kind: "import";
  readonly id: string;
}

/** Change the program or do something elsewhere that only the user can know, then run the same command. */
export interface Edit extends Way {
  readonly kind: "edit";
  readonly what: string;
}

/** Check the circumstances, in complete sentences (empty if the service's message explains them), then run the same command. */
export interface Check extends Way {
  readonly kind: "check";
  readonly sentences: string;
}

/** Run the same command again. */
export const again = (more = ""): WayOn => ({ kind: "again", runs: "the same command again", more });
/** Run `pulumi up` again. */
export const upAgain = (more = ""): WayOn => ({ kind: "again", runs: "pulumi up again", more });
/** Refresh first, which records the changes of others. */
export const refreshFirst = (runs: string, to?: string, more = ""): WayOn => ({
  kind: "refresh",
  runs,
  more,
  ...(to && { to }),
});
/** Run a command that shows more and changes nothing. */
export const look = (runs: string, more = ""): WayOn => ({ kind: "look", runs, more, to: "to look" });
/** Set a property. */
export const set = (property: string, value: Json, rest: Way = {}): WayOn => ({
  kind: "set",
  property,
  value,
  ...rest,
});
/** Delete an object manually. */
export const removed = (what: string, to?: string): WayOn => ({ kind: "remove", what, ...(to && { to }) });
/** Do something that only the user can know. */
export const edited = (what: string, to?: string): WayOn => ({ kind: "edit", what, ...(to && { to }) });
/** Check the circumstances. */
export const checked = (sentences: string): WayOn => ({ kind: "check", sentences });

/** Formats an error with its remedies: one line for each remedy with its own purpose, one sentence for the others. */
export function toldWith(what: string, ways: readonly WayOn[]): string {
  const named = new Map<string, string[]>();
  for (const way of ways) {
    if (way.to === undefined) continue;
    const label = `  ${way.to}:`;
    named.set(label, [...(named.get(label) ?? []), commandOf(way)]);
  }
  const sentences = ways.flatMap((way) => (way.kind === "check" && way.sentences ? [way.sentences] : []));
  const others = ways.filter((way) => way.to === undefined && way.kind !== "check").map(commandOf);
  const next = others.length === 0 ? [] : [`Next: ${others.join("; or ")}.`];
  const width = Math.max(0, ...[...named.keys()].map((label) => label.length));
  const lines = [...named].map(([label, commands]) => `${label.padEnd(width)} ${commands.join("; or ")}`);
  // After a table, each part is on a separate line.
  const between = what.includes("\n") ? "\n  " : " ";
  return [[what, ...sentences, ...next].join(between), ...lines].join("\n");
}

function commandOf(way: WayOn): string {
  return `${plainCommand(way)}${way.more ?? ""}`;
}

function plainCommand(way: WayOn): string {
  switch (way.kind) {
    case "set":
      return `set ${way.property}: ${JSON.stringify(way.value)}`;
    case "import":
      return `import it by its id ${JSON.stringify(way.id)}`;
    case "remove":
    case "edit":
      return way.what;
    case "check":
      return way.sentences;
    default:
      return way.runs;
  }
}

/**
 * An error that says what to do next. Its remedies are in the order in which a user should try them. {@link NOTHING_TO_DO}
 * states that it has no remedy.
 */
export class AdvisedError extends Error {
  constructor(
    /** What happened, without the remedies. */
    readonly what: string,
    readonly ways: readonly WayOn[],
    /** The end of the message: the ids of the request. */
    readonly end = "",
  ) {
    super(toldWith(what, ways) + end);
  }

  /** What happened and what to check, for an error that names the next command itself. */
  get told(): string {
    const checks = this.ways.filter(({ kind }) => kind === "check");
    return toldWith(this.what, checks) + this.end;
  }
}

/** States explicitly that nothing can be done. */
export const NOTHING_TO_DO: readonly WayOn[] = [];

/** What happened and what to check, for an error that names the next command itself. */
export function toldBy(error: Error): string {
  return error instanceof AdvisedError ? error.told : error.message;
}

/** The remedies of an error; undefined if it is not an {@link AdvisedError}. */
export function waysOf(error: unknown): readonly WayOn[] | undefined {
  return error instanceof AdvisedError ? error.ways : undefined;
}
