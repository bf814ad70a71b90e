import type { Json } from "../value/json";

/** One way on after an error: what a person runs, sets, or sees to, so that it comes to a good end. */
export type WayOn = Command | Setting | Removal | Import | Edit | Check;

interface Way {
  /** What it is for, where there is a choice: `to take it over`. */
  readonly to?: string;
  /** What more is to be said of it, as it follows the command: `, which writes it once more`. */
  readonly more?: string;
}

/** A command, the failed one among them, which needs no other program. */
export interface Command extends Way {
  /** `again`: the same command; `refresh`: a refresh, and then the same; `look`: a preview, which brings nothing about. */
  readonly kind: "again" | "refresh" | "look";
  /** The commands as a person writes them. */
  readonly runs: string;
}

/** A property of the resource, set to this value, and then the same command. */
export interface Setting extends Way {
  readonly kind: "set";
  readonly property: string;
  readonly value: Json;
}

/** Somebody takes the object away by hand; then the same command. */
export interface Removal extends Way {
  readonly kind: "remove";
  readonly what: string;
}

/** The object comes into the state by its id. */
export interface Import extends Way {
  readonly kind: "import";
  readonly id: string;
}

/** Another program, or a deed elsewhere, which only a person can know; then the same command. */
export interface Edit extends Way {
  readonly kind: "edit";
  readonly what: string;
}

/** What is to be seen to around it, in whole sentences, or in none where the service says it; then the same command. */
export interface Check extends Way {
  readonly kind: "check";
  readonly sentences: string;
}

/** The same command again. */
export const again = (more = ""): WayOn => ({ kind: "again", runs: "the same command again", more });
/** The same, where that is an up. */
export const upAgain = (more = ""): WayOn => ({ kind: "again", runs: "pulumi up again", more });
/** A refresh first, which settles what others did. */
export const refreshFirst = (runs: string, to?: string, more = ""): WayOn => ({
  kind: "refresh",
  runs,
  more,
  ...(to && { to }),
});
/** What shows more, and changes nothing. */
export const look = (runs: string, more = ""): WayOn => ({ kind: "look", runs, more, to: "to look" });
/** A property set. */
export const set = (property: string, value: Json, rest: Way = {}): WayOn => ({
  kind: "set",
  property,
  value,
  ...rest,
});
/** Removed by hand. */
export const removed = (what: string, to?: string): WayOn => ({ kind: "remove", what, ...(to && { to }) });
/** What only a person can know. */
export const edited = (what: string, to?: string): WayOn => ({ kind: "edit", what, ...(to && { to }) });
/** What to see to. */
export const checked = (sentences: string): WayOn => ({ kind: "check", sentences });

/** What an error says, with what to do next: lines where each way has its own end, else a sentence. */
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
  // After a table it stands on a line of its own.
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
 * An error that says what to do next. Its ways on are in the order in which a person should try them; none at all is said
 * with {@link NOTHING_TO_DO}.
 */
export class AdvisedError extends Error {
  constructor(
    /** What happened, without what to do next. */
    readonly what: string,
    readonly ways: readonly WayOn[],
    /** What stands at the very end of all that is said: by which request it is known. */
    readonly end = "",
  ) {
    super(toldWith(what, ways) + end);
  }

  /** What happened and what to see to, for an error that says itself what to run next. */
  get told(): string {
    const checks = this.ways.filter(({ kind }) => kind === "check");
    return toldWith(this.what, checks) + this.end;
  }
}

/** A decision: nobody can do anything about it. */
export const NOTHING_TO_DO: readonly WayOn[] = [];

/** What an error says that happened, and what to see to, for one that says itself what to run next. */
export function toldBy(error: Error): string {
  return error instanceof AdvisedError ? error.told : error.message;
}

/** The ways on that an error carries; undefined where it is none of ours. */
export function waysOf(error: unknown): readonly WayOn[] | undefined {
  return error instanceof AdvisedError ? error.ways : undefined;
}
