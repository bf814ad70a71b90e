import type { StubRequest, StubResponse } from "../../service";
import { absent, JSON_TYPE } from "./errors";
import type { Fields } from "./fields";
import type { FurtherFields } from "./further-field";
import type { Randomness } from "./randomness";
import type { Switches, Token } from "./settings";
import type { Lease, Namespace, World } from "./world";

/** The operation of a request: `LIST` and `?list=true` are `list`, POST and PUT are `write`. */
export type Verb = "read" | "list" | "write" | "patch" | "remove";

/** One request in progress: its caller and namespace, and the state that it may change. */
export interface Operation {
  readonly request: StubRequest;
  readonly verb: Verb;
  readonly world: World;
  readonly namespace: Namespace;
  readonly token: Token;
  /** The token itself, from which a library's status derives the borrower. */
  readonly tokenText: string;
  readonly switches: Switches;
  readonly randomness: Randomness;
  /** The parameters of the matched pattern. */
  readonly params: Readonly<Record<string, string>>;
  readonly fields: Fields;
}

/** The operation of an engine's handler: adds the mount path and the engine's state. */
export interface EngineOperation<Data> extends Operation {
  readonly mountPath: string;
  readonly data: Data;
}

/** One path and its handlers; a verb without a handler is a 405. */
export interface Endpoint<Op extends Operation = Operation> {
  /** Relative to the engine's mount, or to `/v1`. `:name` matches one segment, `:name*` at the end one or more. */
  readonly path: string;
  readonly read?: (operation: Op) => StubResponse;
  readonly list?: (operation: Op) => StubResponse;
  readonly write?: (operation: Op) => StubResponse;
  /** A JSON merge patch. */
  readonly patch?: (operation: Op) => StubResponse;
  readonly remove?: (operation: Op) => StubResponse;
  /**
   * The known parameters in addition to those in the path: a response with a body warns of all others. By default a read
   * knows none, and a write warns of none.
   */
  readonly parameters?: readonly string[];
  /** True if a write replaces the object: omitted fields are reset. */
  readonly replaces?: boolean | ((operation: Op) => boolean);
  /** Vault's fields beyond the specification. */
  readonly further?: (switches: Switches) => FurtherFields;
  /** Checks a write: its values of the further fields, without those that have their initial values. */
  readonly checkFurther?: (operation: Op, after: Readonly<Record<string, unknown>>) => void;
  /** True if the token also needs `sudo`. */
  readonly isPrivileged?: boolean;
}

/**
 * Returns the endpoint for a path, with its parameters.
 * @param names the pattern that a `:name` must match; by default any text
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
  const hasRest = pattern.at(-1)?.endsWith("*") ?? false;
  if (hasRest ? segments.length < pattern.length : segments.length !== pattern.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const segment = segments[index] ?? "";
    if (expected.endsWith("*")) params[expected.slice(1, -1)] = segments.slice(index).join("/");
    else if (expected.startsWith(":")) params[expected.slice(1)] = segment;
    else if (expected !== segment) return undefined;
  }
  return params;
}

/** The generic response envelope around `data`, with the lease and the warnings if given. */
export function answer(
  operation: Operation,
  data: unknown,
  lease?: { readonly id: string; readonly seconds: number; readonly renewable?: boolean },
  warnings: readonly string[] | null = null,
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
      warnings,
      auth: null,
    },
  };
}

/** The sorted names of a collection; throws a 404 for an empty one. */
export function answerKeys(operation: Operation, items: ReadonlyMap<string, unknown>): StubResponse {
  if (items.size === 0) throw absent();
  return answer(operation, { keys: [...items.keys()].sort() });
}

/** Issues a lease that starts now; its duration is limited to the mount's maximum or to `longest`. */
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

/** The response to a write that returns no body. */
export const NO_CONTENT: StubResponse = { status: 204 };
