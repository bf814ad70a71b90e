import type { Json } from "../value/json";
import { hasUnknown, type Inputs, UNKNOWN } from "../value/unknown";
import type { Values } from "./object";

/** A rule that holds between properties. It is passed over while any property that it reads is unknown. */
export interface Rule {
  /** The properties it reads, the one to blame first; nested ones with dots. */
  readonly reads: readonly [string, ...string[]];
  /** What is wrong, as "what is allowed and why"; undefined where the rule holds. */
  broken(values: readonly (Json | undefined)[]): string | undefined;
  /** It asks only whether properties are given, so that parts of one which are unknown are no obstacle. */
  readonly asksPresence?: true;
  /** The two properties of which an object has at most one. */
  readonly exclusive?: Exclusive;
  /**
   * Properties of which it asks for one at least, so that a program that writes none of them does not compile; where they
   * are members of an object, by their paths: `vcsRepo.identifier`, and `spec.sources[].name` of each in a list.
   */
  readonly oneOf?: readonly [string, string, ...string[]];
  /**
   * What the rule asks for, as it follows the name of the property to blame: in the documentation, and in place of a reason
   * that may quote a secret.
   */
  readonly said: string;
}

/**
 * Two properties of which an object has at most one. If a program sets one of them, the other one is managed as empty,
 * although the program does not write it.
 */
export interface Exclusive {
  /** By their names; nested properties with dots. */
  readonly pair: readonly [string, string];
  /** The service refuses even the empty value of one next to the other: it is emptied first, in a request of its own. */
  readonly emptiedFirst?: boolean;
  /** The one that the service computes while the other one is set, so that it is never managed as empty. */
  readonly computed?: string;
}

/** One thing that is wrong with a program's inputs. */
export interface Problem {
  readonly path: string;
  readonly reason: string;
}

/**
 * Builds a rule from the properties that it reads, a test, and what it says.
 * @param isBroken whether the rule is broken: true where what the rule says is the reason, else a more exact reason
 */
export function rule<const P extends readonly [string, ...string[]]>(
  reads: P,
  isBroken: (...values: { [K in keyof P]: Json | undefined }) => string | boolean | undefined,
  said: string,
): Rule {
  return {
    reads,
    said,
    broken(values) {
      // The mapped tuple has exactly as many members as `reads`, which `check` hands over in that order.
      const reason = isBroken(...(values as { [K in keyof P]: Json | undefined }));
      return reason === true ? said : reason || undefined;
    },
  };
}

/** At most one of these properties may be given. An empty list, an empty text and false count as not given. */
export function exclusive(
  first: string,
  second: string,
  why: string,
  more: Omit<Exclusive, "pair"> = {},
): Rule {
  return {
    ...rule(
      [first, second],
      (a, b) => isSet(a) && isSet(b),
      `cannot be given together with ${second}: ${why}`,
    ),
    exclusive: { pair: [first, second], ...more },
  };
}

/** The same rule, which asks for one at least of these properties. */
export function askingForOne(oneOf: readonly [string, string, ...string[]], asking: Rule): Rule {
  return { ...asking, oneOf };
}

/**
 * At least one of these properties must be given.
 * @param counts what counts as given
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
    said: `give ${what} in exactly one of ${names.join(", ")}`,
    asksPresence: true,
    broken(values) {
      const given = names.filter((_, index) => isGiven(values[index]));
      if (given.length === 1) return undefined;
      const choice = `give ${what} in one of ${names.join(", ")}`;
      return given.length === 0
        ? `is missing: ${choice}`
        : `given with ${given.join(" and ")}: ${choice} only`;
    },
  };
}

/** Whether a program gives a value, if only an empty one. */
export function isWritten(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Whether a value says anything: null, "", [] and absence do not. */
export function isGiven(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === "") return false;
  return !(Array.isArray(value) && value.length === 0);
}

/** Whether one of two exclusive properties is set: a flag that is off says nothing. */
export function isSet(value: Json | undefined): boolean {
  return isGiven(value) && value !== false;
}

/**
 * Every rule that these inputs break.
 * @param read what stands inside of properties whose text only the service reads
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
    // No value is unknown any more; what asks for presence does not look inside.
    const reason = candidate.broken(values as (Json | undefined)[]);
    return reason === undefined ? [] : [{ rule: candidate, problem: { path: candidate.reads[0], reason } }];
  });
}

/** What stands at a dotted path of some inputs. */
export function valueAtDotted(inputs: Values, dotted: string): Json | undefined;
export function valueAtDotted(inputs: Inputs, dotted: string): unknown;
export function valueAtDotted(inputs: Inputs, dotted: string): unknown {
  let value: unknown = inputs;
  for (const segment of dotted.split(".")) {
    // Of what is not known yet nothing inside is known; a text has no members.
    if (typeof value !== "object" || value === null) return value === UNKNOWN ? UNKNOWN : undefined;
    value = (value as Record<string, unknown>)[segment];
  }
  return value;
}
