import type { Redactor } from "../../../packages/redact";
import type { Runtime } from "../http/client";
import type { HttpAnswer, HttpRequest } from "../http/request";
import type { Dialect, Service, Settings } from "./service";

/** Where a control plane is and how it is spoken to, as the configuration says it: enough to check and to compare. */
export interface Site {
  readonly service: Service;
  /** The name under `quarterdeck:connections`; none for the service's own connection. */
  readonly name?: string;
  /** Former names: an object made under one of them is the same object. */
  readonly aliases: readonly string[];
  readonly settings: Settings;
  readonly dialect: Dialect;
  readonly runtime: Runtime;
  /** How another token comes in place of the one that the state holds, where it is that one which is used. */
  readonly renewsToken?: string;
}

/** One way to one control plane. */
export interface Connection extends Site {
  /** Contains the secrets that authenticate its requests: the token, passwords, and the key of its client certificate. */
  readonly redactor: Redactor;
  /** Sends a request, with members named as in the specification on both ways. */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /**
   * The place in which its objects are written, where others have copies of them: its name, or `OWN` for the one that the
   * server is in. Undefined where nobody can tell.
   */
  primary?(request: Pick<HttpRequest, "label" | "secrets">): Promise<string | undefined>;
}
