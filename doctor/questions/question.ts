import type { HttpAnswer, HttpRequest } from "../../provider/core/http/request";
import type { Settings } from "../../provider/core/language/service";
import type { NeededByStack } from "../needed";
import type { Found } from "../report";

/** What a service is asked, and what its answer says. */
export interface Question {
  readonly what: "token" | "rights" | "product";
  readonly request: Pick<HttpRequest, "method" | "path" | "query" | "body" | "headers">;
  /** What an answer says, whatever its status. */
  readonly reads: (answer: HttpAnswer, now: number) => Found;
}

/** What is asked of a service. */
export interface Questions {
  /** What the real product is called. */
  readonly product: string;
  /** Whether it is there: asked without a right, and any answer will do. */
  readonly reach: Pick<HttpRequest, "method" | "path" | "query">;
  /** The product's own endpoints, which only the dialect `real` has. */
  readonly real: (settings: Settings) => readonly Question[];
  /** Asks whether the token may do what a stack needs, where the real product tells. */
  readonly allows?: (needed: NeededByStack, settings: Settings) => readonly Question[];
  /** A list that the specification has, and what it shows where the token may see it; undefined where nothing is set to ask for. */
  readonly list: (
    settings: Settings,
  ) => (Pick<HttpRequest, "path" | "query"> & { readonly of: string }) | string;
  /** Whether an answer comes of the real product, whose names are the dialect `real`. */
  readonly isProduct: (answer: HttpAnswer) => boolean;
}
