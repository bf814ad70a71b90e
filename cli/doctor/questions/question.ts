import type { HttpRequest, HttpResponse } from "../../../provider/core/http/request";
import type { Settings } from "../../../provider/core/language/service";
import type { NeededByStack } from "../needed";
import type { Found } from "../report";

export type QuestionRequest = Pick<HttpRequest, "method" | "path" | "query" | "body" | "headers">;

/** The known facts when a response is read. */
export interface Circumstances {
  readonly now: number;
  /** True if a token is set. */
  readonly hasToken: boolean;
  /** True if the server showed a list with these settings. */
  readonly isListShown: boolean;
  /** The command that sets a token where the settings of this connection come from. */
  readonly setToken: string;
}

/** A request, and how to read its response. */
export interface Question {
  readonly what: "token" | "permissions" | "version";
  readonly request: QuestionRequest;
  /** Reads a response of any status. */
  readonly reads: (answer: HttpResponse, circumstances: Circumstances) => Found;
}

/** Sends a read-only request; undefined after a transport error. */
export type Ask = (request: QuestionRequest) => Promise<HttpResponse | undefined>;

/** The inputs of a check of a token's permissions. */
export interface PermissionsCheck {
  readonly needed: NeededByStack;
  readonly settings: Settings;
  readonly ask: Ask;
}

/** The requests that check one service. */
export interface Questions {
  /** The product names. */
  readonly product: string;
  /** A request that needs no permission: any response shows that a server is running. */
  readonly reach: QuestionRequest;
  /** The equivalent request to the real product; its response identifies it. */
  readonly identity?: QuestionRequest;
  /** True if a response to that request is the product's; undefined if the response does not show it. */
  readonly isIdentity: (answer: HttpResponse) => boolean | undefined;
  /** Requests to the product's own endpoints, which only the dialect `real` has. */
  readonly real: (settings: Settings) => readonly Question[];
  /** Checks the token's permissions against a stack's needs; undefined if the product does not report them. */
  readonly permissions?: (check: PermissionsCheck) => Promise<readonly Found[] | undefined>;
  /** A list from the specification, and the kind of its entries; a reason if no setting selects a list. */
  readonly list: (
    settings: Settings,
  ) => (Pick<HttpRequest, "path" | "query"> & { readonly of: string }) | string;
  /** True if a response has the marks of the real product. */
  readonly isProduct: (answer: HttpResponse) => boolean;
}
