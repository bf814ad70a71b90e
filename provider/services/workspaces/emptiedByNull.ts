import { z } from "zod";
import { field, type Spelling } from "../../core";

/** The server rejects empty text here: null clears these attributes. */
export const emptiedByNull = (spelling: Spelling): Spelling => ({
  ...spelling,
  encode: (value) => (value === "" ? null : value),
});

/** An inactivity after which the server destroys something. */
export const activityDuration = (doc: string) =>
  field(z.string().optional(), {
    doc: `${doc}, as a number followed by \`d\` (days) or \`h\` (hours).`,
    toWrite: "The number is greater than 0 and has at most four digits.",
    empty: null,
    spelling: emptiedByNull({ doc: "", canonical: (value) => value }),
  });
