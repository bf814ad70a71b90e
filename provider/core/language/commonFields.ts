import { z } from "zod";
import { field } from "./facts";
import { words } from "./members";
import type { Service } from "./service";
import { type StepName, USUAL_SECONDS } from "./stepInput";

const seconds = (step: StepName, operation: string) =>
  field(z.number().positive().optional(), {
    doc: `Seconds that ${operation} may take. Default: what the option \`customTimeouts\` says, else ${USUAL_SECONDS[step]}.`,
    role: "steering",
  });

/** The input, and the connection setting, that make an engine read objects before it updates them. */
export const REFRESH_BEFORE_UPDATE = "refreshBeforeUpdate";

/** The inputs of every resource that control this provider. Quarterdeck never sends them. */
export const commonFields = {
  connection: field(z.string().min(1).optional(), {
    doc: "The named connection (`quarterdeck:connections`) through which the resource is managed. Part of its identity. Default: the service's own settings.",
    role: "steering",
  }),
  adopt: field(z.boolean().optional(), {
    doc: "Whether a create takes over an object that exists already, and updates it to what is written here. Without it the create fails.",
    role: "steering",
    default: false,
  }),
  onConflict: field(
    words({
      fail: "Nothing is written.",
      overwrite: "What is replaced is printed, then written.",
    }).optional(),
    {
      doc: "What to do where somebody else changed what this resource manages: `fail` writes nothing; `overwrite` prints what it replaces, and writes.",
      role: "steering",
      default: "fail",
    },
  ),
  [REFRESH_BEFORE_UPDATE]: field(z.boolean().optional(), {
    doc: "Whether the engine reads the object before every preview and update of the stack, so that what others changed is told there, as by a refresh. By the plugin alone. Default: the connection's `refreshBeforeUpdate`, else false.",
    role: "steering",
  }),
  timeouts: field(
    z
      .strictObject({
        create: seconds("create", "a create"),
        read: seconds("read", "a read, as in a refresh,"),
        update: seconds("update", "an update"),
        delete: seconds("delete", "a delete"),
      })
      .optional(),
    {
      doc: "Seconds that each operation may take, retries and waits included. Default: each one's own.",
      role: "steering",
    },
  ),
} as const;

const { connection, timeouts } = commonFields;

/**
 * The inputs of a resource that the service accepts but never returns: such a resource cannot be adopted, and has no
 * conflicts.
 */
export const writeOnlyFields = { connection, timeouts } as const;

/** The inputs and outputs of every action. */
export const actionFields = {
  ...writeOnlyFields,
  // The program may use any values: only a change counts.
  triggers: field(z.array(z.unknown()).optional(), {
    doc: "Any values, or none. Others than last time act again; the same never do.",
    role: "steering",
    immutable: true,
  }),
  outcome: field(
    words({
      done: "It was done.",
      unclear: "The answer was lost, and nothing on the service tells whether it was done.",
    }),
    {
      doc: "`done`, or `unclear` where the answer was lost and nothing on the service tells whether it happened.",
      role: "server's",
      wire: "__outcome",
    },
  ),
} as const;

/** The setting that selects the dialect of every service whose own settings select none. */
export const DIALECT = "quarterdeck:dialect";

/** The environment variable that names the dialect if no setting does. */
export const DIALECT_VARIABLE = "QUARTERDECK_DIALECT";

/** The dialect of the products' own servers. */
export const DEFAULT_DIALECT = "real";

/** The settings of every service. */
export const commonSettings = {
  address: field(z.url({ protocol: /^https?$/ }).optional(), {
    doc: "Where the service is: `https://host:port`.",
  }),
  token: field(z.string().trim().min(1).optional(), {
    doc: "The token that every request carries. A line break at its end, as files have it, is left out.",
    secret: true,
  }),
  tokenFile: field(z.string().min(1).optional(), {
    doc: "A file that holds the token, read when it is used, and anew when the token is refused: somebody else may put another one there.",
  }),
  dialect: field(z.string().optional(), {
    doc: "The names of headers, fields, paths and default mounts that the server uses: `real` for the product's own, `neutral` for the specification's. If it is not set, `quarterdeck:dialect` applies, then `QUARTERDECK_DIALECT`.",
    default: DEFAULT_DIALECT,
  }),
  caFile: field(z.string().optional(), {
    doc: "A file with the certificates (PEM) of the authority to trust.",
  }),
  clientCertFile: field(z.string().optional(), { doc: "A file with the client's certificate (PEM)." }),
  clientKeyFile: field(z.string().optional(), { doc: "A file with the client certificate's key (PEM)." }),
  timeout: field(z.number().positive().optional(), {
    doc: "Seconds that one request may take.",
    default: 60,
  }),
  [REFRESH_BEFORE_UPDATE]: field(z.boolean().optional(), {
    doc: "Whether the engine reads every object of this connection before each preview and update of the stack. By the plugin alone.",
    default: false,
  }),
  maxRetries: field(z.int().min(0).optional(), {
    doc: "How often a request is repeated at most.",
    default: 4,
  }),
} as const;

/** The alternative settings that authenticate requests. A connection has one of them. */
export const TOKEN_SETTINGS = ["token", "tokenFile", "login"] as const;

/** The environment variable behind a setting: `QUARTERDECK_SCHEDULER_ADDRESS`. */
export function environmentName(service: Service, setting: string): string {
  return `QUARTERDECK_${service.name}_${setting.replace(/[A-Z]/g, "_$&")}`.toUpperCase();
}
