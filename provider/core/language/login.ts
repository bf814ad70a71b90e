import { z } from "zod";
import type { HttpResponse } from "../http/request";
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
  tells(answer: HttpResponse): Issued | undefined;
  /** Why a successful login issues no token, and the remedy; undefined if the response gives no reason. */
  lacks?(answer: HttpResponse): { readonly why: string; readonly advice: string } | undefined;
  /** Extends a token's lifetime; unset if only a new login does. */
  readonly renewal?: TokenRequest;
  /** Revokes a token before it expires; unset if only an administrator can. */
  readonly revocation?: TokenRequest;
  /** True if a response contains something that expires together with the token of its request. */
  handsOut?(answer: HttpResponse): boolean;
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
      doc: "Value of the parameter. A string instead of this object has the same meaning.",
      secret: true,
    }),
    env: field(z.string().min(1).optional(), { doc: "Environment variable that contains the parameter." }),
    file: field(z.string().min(1).optional(), {
      doc: "File that contains the parameter. A line break at its end is removed.",
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
      doc: "Path of the login below `/v1/`, such as `auth/approle/login`. Only Vault and OpenBao need it.",
    },
  ),
  parameters: field(z.record(z.string(), z.union([z.string(), parameter])).optional(), {
    doc: "Parameters of the login under the product's own names. Each is a string, or a source that is read on every use: `{ env: NAME }` or `{ file: PATH }`.",
    secret: true,
  }),
  keep: field(z.boolean().optional(), {
    doc: "Keep the token until it expires, instead of revoking it at the end of the process.",
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
    doc: `Log in instead of using a fixed token (dialect \`real\` only): ${how} Quarterdeck renews the token or logs in again before it expires, and logs in again once if the server rejects it. At the end it revokes the token, if the product supports that. The environment variable contains JSON.`,
  });
}
