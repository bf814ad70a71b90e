import type { IncomingHttpHeaders } from "node:http";
import type { Switches } from "./settings";

type Dialect = Pick<Switches, "dialect">;

/** A header of the service: `x-mesh-index`, `x-consul-index`. */
export function headerName(name: string, { dialect }: Dialect): string {
  return `${dialect === "neutral" ? "x-mesh" : "x-consul"}-${name}`;
}

/** The value of such a header; empty where it is not sent. */
export function sentHeader(headers: IncomingHttpHeaders, name: string, dialect: Dialect): string {
  const value = headers[headerName(name, dialect)];
  return typeof value === "string" ? value : "";
}
