import type { ServiceName } from "../service";

/** One endpoint of the specification, or of a product's API that only later resources use. */
export interface SpecifiedEndpoint {
  readonly service: ServiceName;
  readonly method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE" | "LIST";
  /** `:name` matches one segment, `:name*` at the end one or more; `{mount}` is the path at which an engine is mounted. */
  readonly path: string;
  /** The heading of its description; for a product's API, its documentation page. */
  readonly section: string;
}

/** A row of a service's endpoints. */
export type Row = readonly [method: SpecifiedEndpoint["method"], path: string, section: string];
