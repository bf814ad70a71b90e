import type { Runtime } from "../http/client";
import type { HttpAnswer, HttpRequest } from "../http/request";
import type { Dialect, Service, Settings } from "./service";

/** One way to one control plane. */
export interface Connection {
  readonly service: Service;
  /** The name under `quarterdeck:connections`; none for the service's own connection. */
  readonly name?: string;
  /** Former names: an object made under one of them is the same object. */
  readonly aliases: readonly string[];
  readonly settings: Settings;
  readonly dialect: Dialect;
  readonly runtime: Runtime;
  /** Sends a request, with members named as in the specification on both ways. */
  send(request: HttpRequest): Promise<HttpAnswer>;
}
