import { z } from "zod";
import { field } from "./facts";
import { words } from "./members";
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
