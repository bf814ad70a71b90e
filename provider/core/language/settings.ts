import { z } from "zod";
import { REFRESH_BEFORE_UPDATE } from "./commonFields";
import { field } from "./facts";
import type { Service } from "./service";

/** The setting that selects the dialect of every service whose own settings select none. */
export const DIALECT = "quarterdeck:dialect";

/** The environment variable that names the dialect if no setting does. */
export const DIALECT_VARIABLE = "QUARTERDECK_DIALECT";

/** The dialect of the products' own servers. */
export const DEFAULT_DIALECT = "real";

/** The settings of every service. */
export const commonSettings = {
  address: field(
    z.url({ protocol: /^https?$/, error: "must be a URL that begins with http:// or https://" }).optional(),
    {
      doc: "URL of the server: `https://host:port`.",
    },
  ),
  token: field(z.string().trim().min(1).optional(), {
    doc: "Token that every request contains. Whitespace at its start and end is removed, such as the line break of a file.",
    secret: true,
  }),
  tokenFile: field(z.string().min(1).optional(), {
    doc: "File that contains the token. Quarterdeck reads it when a request needs the token, and again if the server rejects the token.",
  }),
  dialect: field(z.string().optional(), {
    doc: "Names of headers, fields, paths and default mounts that the server uses: `real` for the product's own names, `neutral` for `quarterdeck-stub --dialect neutral`. If it is not set, `quarterdeck:dialect` applies, then `QUARTERDECK_DIALECT`.",
    default: DEFAULT_DIALECT,
  }),
  caFile: field(z.string().optional(), {
    doc: "File with the CA certificates to trust (PEM).",
  }),
  clientCertFile: field(z.string().optional(), { doc: "File with the client certificate (PEM)." }),
  clientKeyFile: field(z.string().optional(), {
    doc: "File with the private key of the client certificate (PEM).",
  }),
  timeout: field(z.number().positive().optional(), {
    doc: "Timeout of one request, in seconds.",
    default: 60,
  }),
  [REFRESH_BEFORE_UPDATE]: field(z.boolean().optional(), {
    doc: "Refresh every resource of this connection before each preview and update of the stack. Plugin only.",
    default: false,
  }),
  maxRetries: field(z.int().min(0).optional(), {
    doc: "Maximum number of retries of a request.",
    default: 4,
  }),
} as const;

/** The alternative settings that authenticate requests. A connection has one of them. */
export const TOKEN_SETTINGS = ["token", "tokenFile", "login"] as const;

/** The environment variable behind a setting: `QUARTERDECK_SCHEDULER_ADDRESS`. */
export function environmentName(service: Service, setting: string): string {
  return `QUARTERDECK_${service.name}_${setting.replace(/[A-Z]/g, "_$&")}`.toUpperCase();
}

/**
 * The command that sets a setting of the stack. Without `--plaintext` the Pulumi CLI refuses some of these keys, because a name
 * like `secrets` looks like a secret.
 */
export const settingCommand = (path: string, value: string) =>
  `pulumi config set --path --plaintext '${path}' ${value}`;
