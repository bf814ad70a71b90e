import { z } from "zod";
import type { HttpAnswer } from "../http/request";
import type { Json } from "../value/json";
import { field } from "./facts";
import { sharedObject } from "./members";

/**
 * Facts about services whose servers form a cluster in which each server answers requests itself if it can, possibly with
 * data older than the latest write.
 */
export interface Cluster {
  readonly state: StateHeader;
  /** The request that finds the active server, which takes the writes. Its path is relative to the service's prefix. */
  readonly active: { readonly path: string; tells(answer: HttpAnswer): ActiveServer };
}

/**
 * The header that identifies the server state behind a response. A later request sends it to rule out responses from an
 * older state.
 */
export interface StateHeader {
  /** The header's name, in lower case. */
  readonly name: string;
  /** Further headers of such a request: how a server that is behind must handle it. */
  readonly beside: Readonly<Record<string, string>>;
  /** The states to require next: the known states combined with the one in the latest response. */
  latest(known: readonly string[], answered: string): readonly string[];
}

/** The active server, as one server reports it. */
export interface ActiveServer {
  /** False if there is only one server, or if the servers do not form a cluster. */
  readonly isClustered: boolean;
  /** True if the server that answered is the active server. */
  readonly isSelf: boolean;
  /** The address that the active server advertises; undefined while no server is active. */
  readonly address: string | undefined;
}

/**
 * Facts about services that write objects in one place, the primary, and copy them to other places. Each copy has indexes of
 * its own.
 */
export interface Replication {
  /** The service's term for such a place: `datacenter`. */
  readonly place: string;
  /** The query parameter that selects the place. */
  readonly parameter: string;
  /** The setting that names the primary. */
  readonly setting: string;
  /** The requests that find the primary, in the order of the attempts. Their paths are relative to the service's prefix. */
  readonly asked: readonly PrimaryQuestion[];
}

/** Replaces the name of the server's own place if the response does not contain it. */
export const OWN = "";

/** A request that finds the primary. */
export interface PrimaryQuestion {
  readonly path: string;
  /** The primary's name, or {@link OWN}; undefined if the response does not report it. */
  tells(answer: HttpAnswer): string | undefined;
}

/** Patterns for the error messages of a cluster without a leader. */
export interface Leaderless {
  /** Matches if no server carried out the request, neither a read nor a write. */
  readonly absent: RegExp;
  /** Matches if the cluster lost the leader that had the request; unset if a cluster never reports that. */
  readonly lost?: RegExp;
  /** Matches if a leader is too new to serve reads. */
  readonly unready?: RegExp;
}

/** Messages of servers that forward requests to a leader, which they elect among themselves. */
export const FORWARDING = {
  absent: /No cluster leader|Raft leader not found|node is not the leader|failed to get conn/,
  lost: /leadership lost|leadership transfer|rpc error[^:]{0,20}: EOF|connection reset|broken pipe|session shutdown|stream closed/,
  unready: /Not ready to serve consistent reads/,
} as const satisfies Leaderless;

/**
 * True if the service itself rejected the request with a 500. If the cluster lost the leader that had the request, the next
 * leader can still apply the write, so such a response is not a rejection.
 */
export function isOwnRefusal(
  {
    isOwnError,
    leaderless,
  }: { isOwnError(answer: HttpAnswer): boolean; readonly leaderless?: Leaderless | undefined },
  answer: HttpAnswer,
): boolean {
  return answer.status === 500 && isOwnError(answer) && leaderless?.lost?.test(answer.text) !== true;
}

/** How one family of servers issues tokens to clients that log in. */
export interface Login {
  /**
   * The path of the login, below the service's prefix, unless the settings give one; undefined if the settings must give it.
   */
  readonly path?: string;
  /** The token that a response issues; undefined if it issues none. */
  tells(answer: HttpAnswer): Issued | undefined;
  /** Why a successful login issues no token, and the remedy; undefined if the response gives no reason. */
  lacks?(answer: HttpAnswer): { readonly why: string; readonly advice: string } | undefined;
  /** Extends a token's lifetime; unset if only a new login does. */
  readonly renewal?: TokenRequest;
  /** Revokes a token before it expires; unset if only an administrator can. */
  readonly revocation?: TokenRequest;
  /** True if a response contains something that expires together with the token of its request. */
  handsOut?(answer: HttpAnswer): boolean;
}

/** A request that a token sends about itself. Its path is relative to the service's prefix. */
export interface TokenRequest {
  readonly method: "POST" | "PUT";
  readonly path: string;
  readonly body?: Json;
}

/** A token, and its remaining lifetime in seconds. */
export interface Issued {
  readonly token: string;
  /** Undefined if the token does not expire. */
  readonly seconds?: number;
  readonly isRenewable: boolean;
}

const PLACES = ["value", "env", "file"] as const;

/** A parameter, or the source to read it from on each use. */
const parameter = sharedObject(
  "LoginParameter",
  {
    value: field(z.string().min(1).optional(), {
      doc: "The parameter itself; as text it may be written alone.",
      secret: true,
    }),
    env: field(z.string().min(1).optional(), { doc: "The environment variable that holds it." }),
    file: field(z.string().min(1).optional(), {
      doc: "The file that holds it; a line break at its end is left out.",
    }),
  },
  PLACES,
).refine(
  (given) => PLACES.filter((name) => given[name] !== undefined).length === 1,
  `must say one of ${PLACES.join(", ")}`,
);

/** A login parameter as the program writes it: a string, or the source to read it from. */
export type LoginParameter = string | z.output<typeof parameter>;

const members = sharedObject("Login", {
  path: field(
    z
      .string()
      .regex(/^[^/?#\s][^?#\s]*$/, "must be a path that begins with no slash")
      .optional(),
    {
      doc: "Where the login is sent, below `/v1/`: `auth/approle/login`. Only the secrets service needs it.",
    },
  ),
  parameters: field(z.record(z.string(), z.union([z.string(), parameter])).optional(), {
    doc: "What proves who logs in, by the service's own names: each as text, or where it is read each time that it is used, `{ env: NAME }` or `{ file: PATH }`.",
    secret: true,
  }),
  keep: field(z.boolean().optional(), {
    doc: "Whether the token is left to its own end, where it would be revoked at the end of the process.",
    default: false,
  }),
});

/** How a connection logs in, if its service issues tokens for logins. */
export interface LoginSettings {
  readonly path?: string | undefined;
  readonly parameters?: Readonly<Record<string, LoginParameter>> | undefined;
  readonly keep?: boolean | undefined;
}

/**
 * The login setting of a service that issues tokens.
 * @param how the documentation of the login's path and parameters
 */
export function loginSetting(how: string): z.ZodType<LoginSettings | undefined> {
  return field(members.optional(), {
    doc: `A login in place of a token, in the dialect \`real\`: ${how} Its token is renewed, or made anew, before it ends, once more where it is refused, and is revoked at the end where the service has that. In the environment as JSON.`,
  });
}
