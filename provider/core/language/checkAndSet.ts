import type { HttpAnswer } from "../http/request";
import type { Json } from "../value/json";
import type { ObjectHookContext } from "./hookContext";
import type { Address, Observation, Values } from "./object";

/**
 * How a service checks at the moment of writing. That a check was lost, the service itself says (`errorKind`). What is
 * read back after a write may be somebody's later edit: the two kinds differ in how it is proven to be ours.
 */
export type CheckAndSet = NamedIndex | RepeatableWrite;

interface CheckBase {
  /** The member of the object that holds its token (an index). */
  readonly token: string;
  /** What a write carries, given the token; "0" stands for "only if absent". */
  carry(token: string): {
    readonly query?: Readonly<Record<string, string>>;
    readonly body?: Readonly<Record<string, Json>>;
  };
  /** What else than a change of the object moves its token, in words; none where nothing does. */
  readonly alsoMovedBy?: string;
  /** Whether an update must read first although a token is at hand, because its body takes over what was just read. */
  looksFirst?(inputs: Values): boolean;
}

/** The answer to a write names the index that the write got. */
export interface NamedIndex extends CheckBase {
  readonly proof: "named";
  /** The token that the answer to a write names. */
  named(answer: HttpAnswer): string | undefined;
  /** Whether a token can be that of a write to this object, planned from another token: none from before either, or from after the object's latest. */
  isOwn(named: string, body: Observation["body"], planned: string | undefined): boolean;
  /** Whether an object is still as the write left it whose answer named this token. */
  isStill(named: string, body: Observation["body"]): boolean;
  /** The object exactly as a write left it, where the service keeps its versions. */
  exact(
    context: ObjectHookContext,
    address: Address,
    named: string | undefined,
  ): Promise<Observation["body"] | undefined>;
}

/**
 * Writing exactly what is stored succeeds whatever the token, and changes nothing: so a write that is repeated with its
 * old token tells whether the service still holds what was written.
 */
export interface RepeatableWrite extends CheckBase {
  readonly proof: "repeated";
  /** Whether an object says of itself that nobody wrote it since it was created. */
  isUntouched(body: Observation["body"]): boolean;
  /**
   * Whether the service refuses the repeated write of an object although it holds just that, because it keeps something
   * of its own with it: a refusal proves nothing there.
   */
  refusesEqual?(body: Observation["body"]): boolean;
}

/** A check whose index the answer to a write names. */
export function namedIndex(check: Omit<NamedIndex, "proof">): NamedIndex {
  return { proof: "named", ...check };
}

/** A check that a repeated write passes as long as nobody wrote anything else. */
export function repeatableWrite(check: Omit<RepeatableWrite, "proof">): RepeatableWrite {
  return { proof: "repeated", ...check };
}

/** The token that means "only if absent". */
export const ONLY_IF_ABSENT = "0";
