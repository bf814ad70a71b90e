import { z } from "zod";
import type { HttpAnswer } from "../http/request";
import type { Json } from "../value/json";
import { field } from "./facts";
import { sharedObject } from "./members";

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
