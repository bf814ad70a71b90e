import { z } from "zod";
import { field } from "./facts";
import { enumeration } from "./members";
import { type StepName, USUAL_SECONDS } from "./stepInput";

const seconds = (step: StepName, operation: string) =>
  field(z.number().positive().optional(), {
    doc: `Timeout of ${operation}, in seconds. Default: the option \`customTimeouts\`, else ${USUAL_SECONDS[step]}.`,
    role: "steering",
  });

/** The input, and the connection setting, that make an engine read objects before it updates them. */
export const REFRESH_BEFORE_UPDATE = "refreshBeforeUpdate";

/** The inputs of every resource that control this provider. Quarterdeck never sends them. */
export const commonFields = {
  connection: field(z.string().min(1).optional(), {
    doc: "Named connection to use (`quarterdeck:connections`). Part of the resource's identity. Default: the default connection.",
    role: "steering",
  }),
  adopt: field(z.boolean().optional(), {
    doc: "Adopt an existing object on create and update it to match the program. If false, a create fails if the object exists.",
    role: "steering",
    default: false,
  }),
  onConflict: field(
    enumeration({
      fail: "Write nothing.",
      overwrite: "Print the replaced values, then write.",
    }).optional(),
    {
      doc: "Action if the object changed outside this stack: `fail` writes nothing, `overwrite` prints the replaced values and then writes.",
      role: "steering",
      default: "fail",
    },
  ),
  [REFRESH_BEFORE_UPDATE]: field(z.boolean().optional(), {
    doc: "Refresh this resource before every preview and update of the stack, so that outside changes show there. Plugin only. Default: the connection's `refreshBeforeUpdate`, else false.",
    role: "steering",
  }),
  timeouts: field(
    z
      .strictObject({
        create: seconds("create", "a create"),
        read: seconds("read", "a read, such as a refresh"),
        update: seconds("update", "an update"),
        delete: seconds("delete", "a delete"),
      })
      .optional(),
    {
      doc: "Timeouts in seconds, including retries and waits. Each operation has its own default.",
      role: "steering",
    },
  ),
} as const;

const { connection, timeouts } = commonFields;

/**
 * The inputs of a procedure, and of a resource that the service accepts but never returns: such resources cannot be adopted,
 * and have no conflicts.
 */
export const writeOnlyFields = { connection, timeouts } as const;

/** The inputs and outputs of every action. */
export const actionFields = {
  ...writeOnlyFields,
  // The program may use any values: only a change counts.
  triggers: field(z.array(z.unknown()).optional(), {
    doc: "Arbitrary values. Changing them runs the action again. Default: none.",
    role: "steering",
    immutable: true,
  }),
  outcome: field(
    enumeration({
      done: "The action ran.",
      unclear: "The response was lost, and the server does not show whether the action ran.",
    }),
    {
      doc: "`done`, or `unclear` if the response was lost and the server does not show whether the action ran.",
      role: "server's",
      wire: "__outcome",
    },
  ),
} as const;
