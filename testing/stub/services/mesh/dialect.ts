import type { IncomingHttpHeaders } from "node:http";
import type { Switches } from "./settings";

type Dialect = Pick<Switches, "dialect">;

/** The name of one of the product's headers: `x-mesh-index`, `x-consul-index`. */
export function headerName(name: string, { dialect }: Dialect): string {
  return `${dialect === "neutral" ? "x-mesh" : "x-consul"}-${name}`;
}

/** The value of one of the product's headers; empty if the request lacks it. */
export function sentHeader(headers: IncomingHttpHeaders, name: string, dialect: Dialect): string {
  const value = headers[headerName(name, dialect)];
  return typeof value === "string" ? value : "";
}
