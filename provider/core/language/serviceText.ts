import type { Json } from "../value/json";
import type { Address, Values } from "./object";
import type { RequestContext } from "./stepInput";

/**
 * Text of a program that only its service can read (a job's own language). It is read once: what the service said is
 * kept beside the inputs and in the records, so that the same text is not asked about again.
 */
export interface ServiceText {
  /** The property that holds the text: another form of a document. */
  readonly property: string;
  /** What else the reading depends on. */
  readonly with: readonly string[];
  /** What a text says that needs no service to read it: a document written out; undefined for every other text. */
  plain(text: string): Json | undefined;
  /**
   * Asks the service what the text says.
   * @throws ServiceError where it refuses the text, or cannot be reached.
   */
  read(context: RequestContext, inputs: Values, address: Address): Promise<Json>;
}
