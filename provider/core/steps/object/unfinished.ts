import type { Change } from "../../compare/changes";
import type { HttpAnswer } from "../../http/request";
import type { Observation, Values } from "../../language/object";
import type { LinksToRead } from "../../requests/observe";
import type { Write } from "../../requests/write";
import type { Records } from "../../state/records";

/** What a step leaves behind: the records, and the object as it was last read (none where nothing was sent). */
export interface Finished {
  readonly records: Records;
  readonly inputs: Values;
  readonly body?: Observation["body"];
}

/** The object as it was found in place of a write's answer. */
export interface FoundInstead extends Observation {
  /** Whether it holds what was written, and what it holds beside that may be somebody's, of which nobody could be asked. */
  readonly isUnproven?: true;
}

/** Whether it is the write's own answer, and not the object as it was found. */
export function isAnswer(answer: HttpAnswer | FoundInstead): answer is HttpAnswer {
  return "status" in answer;
}

/** What is left to do after the main write. */
export interface Unfinished {
  /** The records that the write was made from. */
  readonly records: Records;
  readonly inputs: Values;
  readonly links: LinksToRead;
  readonly changes: readonly Change[];
  /** The write's own answer, or the object as it was found to be after it. */
  readonly answer?: HttpAnswer | FoundInstead;
  /** The write, where its answer is known. */
  readonly write?: Write;
}
