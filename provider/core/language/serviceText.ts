import type { Json } from "../value/json";
import type { Address, Values } from "./object";
import type { RequestContext } from "./stepInput";

/**
 * Program text that only its service can parse (a job's own language). The service parses a text once: Quarterdeck stores
 * the result with the inputs and in the records, and does not send the same text again.
 */
export interface ServiceText {
  /** The property with the text: another form of a document. */
  readonly property: string;
  /** Further inputs that affect the result of the parse. */
  readonly with: readonly string[];
  /** The content of a text that needs no service to parse it (a document in plain form); undefined for every other text. */
  plain(text: string): Json | undefined;
  /**
   * Sends the text to the service and returns the parsed document.
   * @throws ServiceError if the service rejects the text, or if the server cannot be reached.
   */
  read(context: RequestContext, inputs: Values, address: Address): Promise<Json>;
}
