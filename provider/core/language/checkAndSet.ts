import type { HttpAnswer } from "../http/request";
import type { Json } from "../value/json";
import type { ObjectAsking } from "./asking";
import type { Address, Observation } from "./object";

/** How a service checks at the moment of writing, as data. */
export interface CheckAndSet {
  /** The member of the object that holds its token (an index). */
  readonly token: string;
  /** What a write carries, given the token; "0" stands for "only if absent". */
  carry(token: string): {
    readonly query?: Readonly<Record<string, string>>;
    readonly body?: Readonly<Record<string, Json>>;
  };
  /** Whether this answer says that the check was lost; it decides by meaning, not by status. */
  lost(answer: HttpAnswer): boolean;
  /** Whether deletes are checked too. */
  readonly onDelete: boolean;
  /** The token that the answer to a write names. */
  readonly answered?: (answer: HttpAnswer) => string | undefined;
  /** Whether an object is still as the write left it whose answer named this token. */
  readonly isAnswerOf?: (answered: string, body: Observation["body"]) => boolean;
  /** Whether an object says of itself that nobody wrote it since it was created. */
  readonly isUntouched?: (body: Observation["body"]) => boolean;
  /** The object exactly as a write left it, where the service keeps its versions. */
  readonly exactAnswer?: (
    context: ObjectAsking,
    address: Address,
    answered: string | undefined,
  ) => Promise<Observation["body"] | undefined>;
  /**
   * Writing exactly what is stored succeeds whatever the token, and changes nothing: so a write that is
   * repeated with its old token tells whether the service still holds what was written.
   */
  readonly repeatProves?: boolean;
}

/** The token that means "only if absent". */
export const ONLY_IF_ABSENT = "0";
