import { z } from "zod";
import { field } from "./facts";
import { type StepName, USUAL_SECONDS } from "./stepInput";
import { words } from "./words";

const seconds = (step: StepName, operation: string) =>
  field(z.number().positive().optional(), {
    doc: `Seconds that ${operation} may take. Default: what the option \`customTimeouts\` says, else ${USUAL_SECONDS[step]}.`,
    role: "steering",
  });

/** The input, and the setting of a connection, by which an engine reads before it updates. */
export const REFRESH_BEFORE_UPDATE = "refreshBeforeUpdate";

/** The inputs that every resource has: they steer this provider, and are never sent. */
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
