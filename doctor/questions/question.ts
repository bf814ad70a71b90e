import type { HttpAnswer, HttpRequest } from "../../provider/core/http/request";
import type { Settings } from "../../provider/core/language/service";
import type { NeededByStack } from "../needed";
import type { Found } from "../report";

export type Asked = Pick<HttpRequest, "method" | "path" | "query" | "body" | "headers">;

/** What is known when an answer is read. */
export interface Circumstances {
  readonly now: number;
  /** Whether a token is set at all. */
  readonly hasToken: boolean;
  /** Whether the server showed a list with these settings. */
  readonly isListShown: boolean;
  /** The command that sets a token where the settings of this connection come from. */
  readonly setToken: string;
}

/** A request, and what its answer means. */
export interface Question {
  readonly what: "token" | "rights" | "version";
  readonly request: Asked;
  /** What an answer means, whatever its status. */
  readonly reads: (answer: HttpAnswer, circumstances: Circumstances) => Found;
}

/** Sends a read-only request; an error of the transport is no answer. */
export type Ask = (request: Asked) => Promise<HttpAnswer | undefined>;

/** What a token may do, as far as the product tells. */
export interface RightsCheck {
  readonly needed: NeededByStack;
  readonly settings: Settings;
  readonly ask: Ask;
}

/** The requests that check one service. */
export interface Questions {
  /** The names of the product. */
  readonly product: string;
  /** A request that needs no right: any answer shows that a server is there. */
  readonly reach: Asked;
  /** The same request to the real product, whose answer identifies it. */
  readonly identity?: Asked;
  /** Whether an answer to that is the product's; undefined if the answer does not show it. */
  readonly isIdentity: (answer: HttpAnswer) => boolean | undefined;
  /** Requests to the product's own endpoints, which only the dialect `real` has. */
  readonly real: (settings: Settings) => readonly Question[];
  /** Checks whether the token may do what a stack needs, if the product tells; undefined if it does not. */
  readonly rights?: (check: RightsCheck) => Promise<readonly Found[] | undefined>;
  /** A list of the specification, and what it shows; a reason if no setting says what to list. */
  readonly list: (
    settings: Settings,
  ) => (Pick<HttpRequest, "path" | "query"> & { readonly of: string }) | string;
  /** Whether an answer has the marks of the real product. */
  readonly isProduct: (answer: HttpAnswer) => boolean;
}
