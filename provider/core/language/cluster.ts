import { z } from "zod";
import type { HttpAnswer } from "../http/request";
import type { Json } from "../value/json";
import { field } from "./facts";
import { sharedObject } from "./members";

/**
 * What is known of services whose servers form a cluster in which every one answers by itself what it can, perhaps from
 * before the latest write.
 */
export interface Cluster {
  readonly state: StateHeader;
  /** The request that tells which server takes the writes; its path is below the service's prefix. */
  readonly active: { readonly path: string; tells(answer: HttpAnswer): ActiveServer };
}

/** The header by which an answer names the state that it left or shows, and a later request asks for none from before it. */
export interface StateHeader {
  /** Its name, in lower case. */
  readonly name: string;
  /** What else a request says that asks so: what a server shall do that is behind. */
  readonly beside: Readonly<Record<string, string>>;
  /** The states to ask for, those known together with one that was just answered. */
  latest(known: readonly string[], answered: string): readonly string[];
}

/** What one server says of the active one. */
export interface ActiveServer {
  /** False where there is only one, or the servers are no cluster. */
  readonly isClustered: boolean;
  /** Whether the server that answered is the active one itself. */
  readonly isSelf: boolean;
  /** Where the active one is, as it tells others; undefined while there is none. */
  readonly address: string | undefined;
}

/**
 * What is known of services whose objects are written in one place, the primary, and copied to others, which count by
 * indexes of their own.
 */
export interface Replication {
  /** What the service calls such a place: `datacenter`. */
  readonly place: string;
  /** The query parameter that names the place of which is asked. */
  readonly parameter: string;
  /** The setting by which a person names the primary. */
  readonly setting: string;
  /** The requests that tell the primary, in the order in which they are tried; their paths are below the service's prefix. */
  readonly asked: readonly PrimaryQuestion[];
}

/** What stands for the name of the place that the server itself is in, where it does not say that. */
export const OWN = "";

/** A request that tells which place is the primary. */
export interface PrimaryQuestion {
  readonly path: string;
  /** The primary's name, or {@link OWN}; undefined where the answer does not tell. */
  tells(answer: HttpAnswer): string | undefined;
}

/** Words of a cluster without a leader. */
export interface Leaderless {
  /** By which no request was carried out, whatever it was. */
  readonly absent: RegExp;
  /** By which a leader was lost that had the request; none where a cluster never says so. */
  readonly lost?: RegExp;
  /** By which a leader is too new to be read. */
  readonly unready?: RegExp;
}

/** What servers say that pass requests on to a leader, which they choose among themselves. */
export const FORWARDING = {
  absent: /No cluster leader|Raft leader not found|node is not the leader|failed to get conn/,
  lost: /leadership lost|leadership transfer|rpc error[^:]{0,20}: EOF|connection reset|broken pipe|session shutdown|stream closed/,
  unready: /Not ready to serve consistent reads/,
} as const satisfies Leaderless;

/**
 * Whether the service itself refused with a 500. If a leader was lost while it had the request, the next leader may still
 * apply the write, so that such an answer is no refusal.
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

/** How one family of servers hands out a token to whoever proves who they are. */
export interface Login {
  /** Where a login is sent, below the service's prefix, unless the settings say it; undefined where they must. */
  readonly path?: string;
  /** What an answer hands out; undefined where it hands out nothing. */
  tells(answer: HttpAnswer): Issued | undefined;
  /** Why an answer hands out no token although the login succeeded, and what to do; undefined where it does not say. */
  lacks?(answer: HttpAnswer): { readonly why: string; readonly advice: string } | undefined;
  /** Makes a token last longer; none where only another login does. */
  readonly renewal?: TokenRequest;
  /** Ends a token before its time; none where nobody but an administrator can. */
  readonly revocation?: TokenRequest;
  /** Whether an answer hands out something that ends with the token by which it was asked for. */
  handsOut?(answer: HttpAnswer): boolean;
}

/** A request by a token about itself; its path is below the service's prefix. */
export interface TokenRequest {
  readonly method: "POST" | "PUT";
  readonly path: string;
  readonly body?: Json;
}

/** A token, and how long it lasts from now. */
export interface Issued {
  readonly token: string;
  /** Undefined where it has no end. */
  readonly seconds?: number;
  readonly isRenewable: boolean;
}

const PLACES = ["value", "env", "file"] as const;

/** A parameter, or where it is read each time that it is used. */
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

/** A parameter of a login as it is written: text, or where it is read. */
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

/** How a connection logs in, where a service hands out tokens for that. */
export interface LoginSettings {
  readonly path?: string | undefined;
  readonly parameters?: Readonly<Record<string, LoginParameter>> | undefined;
  readonly keep?: boolean | undefined;
}

/**
 * The setting of a service that hands out tokens.
 * @param how where it is sent, and with which parameters
 */
export function loginSetting(how: string): z.ZodType<LoginSettings | undefined> {
  return field(members.optional(), {
    doc: `A login in place of a token, in the dialect \`real\`: ${how} Its token is renewed, or made anew, before it ends, once more where it is refused, and is revoked at the end where the service has that. In the environment as JSON.`,
  });
}
