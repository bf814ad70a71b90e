import { z } from "zod";
import { commonFields } from "./commonFields";
import { field } from "./facts";
import { words } from "./words";

const { connection, timeouts } = commonFields;

/** The inputs of a resource that the service takes and never shows: nothing to adopt, and no conflict to see. */
export const writeOnlyFields = { connection, timeouts } as const;

/** The inputs and outputs that every action has. */
export const actionFields = {
  ...writeOnlyFields,
  // Open: whatever the program likes; only whether it is another value counts.
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
