import type { Json } from "../value/json";
import { hasUnknown, type Inputs, UNKNOWN, type Value } from "../value/unknown";

/** A rule between properties. The check skips it while any property that it reads is unknown. */
export interface Rule {
  /** The properties that the rule reads, with the one to blame first. Nested properties have dots. */
  readonly reads: readonly [string, ...string[]];
  /** The violation, worded as the allowed values and the reason; undefined if the rule is satisfied. */
  violation(values: readonly (Json | undefined)[]): string | undefined;
  /** The rule only tests the presence of properties, so a property with unknown parts does not delay it. */
  readonly asksPresence?: true;
  /** The two properties that exclude each other. */
  readonly exclusive?: Exclusive;
  /**
   * The rule requires at least one of these properties, so a program that writes none does not compile. Members of an object
   * have paths: `vcsRepo.identifier`, and `spec.sources[].name` for each element of a list.
   */
  readonly oneOf?: readonly [string, string, ...string[]];
  /**
   * The requirement, worded to follow the name of the property to blame. The documentation uses it, and an error uses it
   * instead of a reason that may quote a secret.
   */
  readonly said: string;
}

/**
 * Two properties that exclude each other. If a program sets one, the other is managed as empty, although the program does
 * not write it.
 */
export interface Exclusive {
  /** The names of the properties; nested properties have dots. */
  readonly pair: readonly [string, string];
  /** The service rejects even the empty value of one next to the other, so a separate request empties it first. */
  readonly emptiedFirst?: boolean;
  /** The property that the service computes while the other one is set, so it is never managed as empty. */
  readonly computed?: string;
}

/** One problem in a program's inputs. */
export interface Problem {
  readonly path: string;
  readonly reason: string;
}

/**
 * Builds a rule from the properties that it reads, a test and a message.
 * @param isBroken true if the rule is broken for the reason in `said`, or a string with a more exact reason
 */
export function rule<const P extends readonly [string, ...string[]]>(
  reads: P,
  isBroken: (...values: { [K in keyof P]: Json | undefined }) => string | boolean | undefined,
  said: string,
): Rule {
  return {
    reads,
    said,
    violation(values) {
      // The mapped tuple has exactly as many members as `reads`, and `brokenRules` passes them in that order.
      const reason = isBroken(...(values as { [K in keyof P]: Json | undefined }));
      return reason === true ? said : reason || undefined;
    },
  };
}

/** At most one of these properties may be given. An empty list, an empty string and false count as not given. */
export function exclusive(
  first: string,
  second: string,
  why: string,
  more: Omit<Exclusive, "pair"> = {},
): Rule {
  return {
    ...rule([first, second], (a, b) => isSet(a) && isSet(b), `cannot be combined with ${second}: ${why}`),
    exclusive: { pair: [first, second], ...more },
  };
}

/** The same rule, declared to require at least one of these properties. */
export function askingForOne(oneOf: readonly [string, string, ...string[]], asking: Rule): Rule {
  return { ...asking, oneOf };
}

/**
 * At least one of these properties must be given.
 * @param counts decides if a value counts as given
 */
export function atLeastOne(
  names: readonly [string, string, ...string[]],
  said: string,
  counts: (value: Json | undefined) => boolean = isGiven,
): Rule {
  return askingForOne(
    names,
    rule(names, (...values) => !values.some(counts), said),
  );
}

/** Exactly one of these properties must be given. */
export function exactlyOne(names: readonly [string, string, ...string[]], what: string): Rule {
  return {
    reads: names,
    oneOf: names,
    said: `set ${what} in exactly one of ${names.join(", ")}`,
    asksPresence: true,
    violation(values) {
      const given = names.filter((_, index) => isGiven(values[index]));
      if (given.length === 1) return undefined;
      const choice = `set ${what} in one of ${names.join(", ")}`;
      return given.length === 0
        ? `is missing: ${choice}`
        : `is set in ${given.join(" and ")}: ${choice} only`;
    },
  };
}

/** True if a program gives a value, even an empty one. */
export function isWritten(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** True unless the value is null, undefined, "" or []. */
export function isGiven(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  return !(Array.isArray(value) && value.length === 0);
}

/** True if one of two exclusive properties is set. A flag that is false does not count. */
export function isSet(value: unknown): boolean {
  return isGiven(value) && value !== false;
}

/**
 * The rules that these inputs break.
 * @param read the parsed content of properties whose text only the service can parse
 */
export function brokenRules(
  rules: readonly Rule[],
  inputs: Inputs,
  read: Inputs = {},
): { rule: Rule; problem: Problem }[] {
  const inside = { ...inputs, ...read };
  return rules.flatMap((candidate) => {
    const values = candidate.reads.map((name) => valueAtDotted(name.includes(".") ? inside : inputs, name));
    if (candidate.asksPresence ? values.includes(UNKNOWN) : values.some(hasUnknown)) return [];
    // Each value is known here, or the rule only tests presence and does not look inside.
    const reason = candidate.violation(values as (Json | undefined)[]);
    return reason === undefined ? [] : [{ rule: candidate, problem: { path: candidate.reads[0], reason } }];
  });
}

/** The value at a dotted path of the inputs. */
export function valueAtDotted(inputs: OrAbsent<Json>, dotted: string): Json | undefined;
export function valueAtDotted(inputs: OrAbsent<Value>, dotted: string): unknown;
export function valueAtDotted(inputs: OrAbsent<Value>, dotted: string): unknown {
  let value: unknown = inputs;
  for (const segment of dotted.split(".")) {
    // Everything inside an unknown value is unknown. A string has no members.
    if (typeof value !== "object" || value === null) return value === UNKNOWN ? UNKNOWN : undefined;
    value = (value as Record<string, unknown>)[segment];
  }
  return value;
}

type OrAbsent<V> = Readonly<Record<string, V | undefined>>;
