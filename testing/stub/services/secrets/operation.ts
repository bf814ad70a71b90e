import type { StubRequest, StubResponse } from "../../service";
import { absent, JSON_TYPE } from "./errors";
import type { Fields } from "./fields";
import type { FurtherFields } from "./further-field";
import type { Randomness } from "./randomness";
import type { Switches, Token } from "./settings";
import type { Lease, Namespace, World } from "./world";

/** What a verb asks for: `LIST` and `?list=true` are `list`, POST and PUT are `write`. */
export type Verb = "read" | "list" | "write" | "remove";

/** One request on its way through the service: who sends it, where, and the world that it may change. */
export interface Operation {
  readonly request: StubRequest;
  readonly verb: Verb;
  readonly world: World;
  readonly namespace: Namespace;
  readonly token: Token;
  /** The token's own text, which a library's status shows as the borrower. */
  readonly tokenText: string;
  readonly switches: Switches;
  readonly randomness: Randomness;
  /** The parameters of the matched pattern. */
  readonly params: Readonly<Record<string, string>>;
  readonly fields: Fields;
}

/** What a handler needs besides: the engine's mount path and what it stores. */
export interface EngineOperation<Data> extends Operation {
  readonly mountPath: string;
  readonly data: Data;
}

/** One path and what each verb does there; a verb that is left out is 405. */
export interface Endpoint<Op extends Operation = Operation> {
  /** Relative to the engine's mount, or to `/v1`. */
  readonly path: string;
  readonly read?: (operation: Op) => StubResponse;
  readonly list?: (operation: Op) => StubResponse;
  readonly write?: (operation: Op) => StubResponse;
  readonly remove?: (operation: Op) => StubResponse;
  /**
   * The parameters that it knows beside those in its path: an answer with a body warns of any other. Default: none of a
   * read, and of a write nothing is warned of.
   */
  readonly parameters?: readonly string[];
  /** True where a write is the whole object: fields that it omits are reset. */
  readonly replaces?: boolean;
  /** The product's fields beyond the specification. */
  readonly further?: (switches: Switches) => FurtherFields;
  /** True where the token needs `sudo` besides. */
  readonly isPrivileged?: boolean;
}

/**
 * The endpoint for a path, and its parameters.
 * @param names what a `:name` may be; any text where nothing is said
 */
export function route<Op extends Operation>(
  endpoints: readonly Endpoint<Op>[],
  path: string,
  names = /^/,
): { readonly endpoint: Endpoint<Op>; readonly params: Readonly<Record<string, string>> } | undefined {
  const segments = path.split("/");
  for (const endpoint of endpoints) {
    const params = match(endpoint.path.split("/"), segments);
    if (params !== undefined && (params.name === undefined || names.test(params.name)))
      return { endpoint, params };
  }
  return undefined;
}

function match(pattern: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? "";
    if (expected.startsWith(":")) params[expected.slice(1)] = segment;
    else if (expected !== segment) return undefined;
  }
  return params;
}

/** The generic response envelope around `data`, with a lease where there is one. */
export function answer(
  operation: Operation,
  data: unknown,
  lease?: { readonly id: string; readonly seconds: number; readonly renewable?: boolean },
): StubResponse {
  return {
    status: 200,
    headers: JSON_TYPE,
    body: {
      request_id: operation.randomness.uuid(),
      lease_id: lease?.id ?? "",
      renewable: lease?.renewable ?? lease !== undefined,
      lease_duration: lease?.seconds ?? 0,
      data,
      wrap_info: null,
      warnings: null,
      auth: null,
    },
  };
}

/** The sorted names of a collection; an empty one is 404. */
export function answerKeys(operation: Operation, items: ReadonlyMap<string, unknown>): StubResponse {
  if (items.size === 0) throw absent();
  return answer(operation, { keys: [...items.keys()].sort() });
}

/** A new lease, counted from now; it lasts no longer than its mount allows, or than `longest` says. */
export function issueLease<Data>(
  operation: EngineOperation<Data>,
  path: string,
  seconds: number,
  { isRenewable = true, longest = operation.switches.mountMaximumTtl }: Partial<Lease> = {},
): { readonly id: string; readonly seconds: number } {
  const id = `${operation.mountPath}/${path}/${operation.randomness.text(24)}`;
  const lease = { id, issuedAt: operation.request.now, seconds, isRenewable, longest };
  operation.world.leases.set(id, lease);
  return lease;
}

/** A write without a body to return. */
export const NO_CONTENT: StubResponse = { status: 204 };
