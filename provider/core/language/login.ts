import { z } from "zod";
import type { HttpAnswer } from "../http/request";
import type { Json } from "../value/json";
import { field } from "./facts";
import { sharedObject } from "./members";

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
      doc: "The parameter's value. A string can be written directly instead of this object.",
      secret: true,
    }),
    env: field(z.string().min(1).optional(), { doc: "The environment variable that contains it." }),
    file: field(z.string().min(1).optional(), {
      doc: "The file that contains it. A line break at its end is removed.",
    }),
  },
  PLACES,
).refine(
  (given) => PLACES.filter((name) => given[name] !== undefined).length === 1,
  `must have one of ${PLACES.join(", ")}`,
);

/** A login parameter as the program writes it: a string, or the source to read it from. */
export type LoginParameter = string | z.output<typeof parameter>;

const members = sharedObject("Login", {
  path: field(
    z
      .string()
      .regex(/^[^/?#\s][^?#\s]*$/, "must be a path without a slash at the start")
      .optional(),
    {
      doc: "The login's path below `/v1/`, such as `auth/approle/login`. Only for Vault and OpenBao.",
    },
  ),
  parameters: field(z.record(z.string(), z.union([z.string(), parameter])).optional(), {
    doc: "The login's parameters, by the product's names. Each is a string, or `{ env: NAME }` or `{ file: PATH }`, which is read at each use.",
    secret: true,
  }),
  keep: field(z.boolean().optional(), {
    doc: "Do not revoke the token at the end of the process.",
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
    doc: `A login instead of a token, in the dialect \`real\`: ${how} The token is renewed before it expires, requested again if the server rejects it, and revoked at the end if the API supports it. JSON in the environment.`,
  });
}
