import { z } from "zod";

/** What a test may switch, at the start or later. */
export const Switches = z.strictObject({
  dialect: z.enum(["neutral", "real"]).default("neutral"),
});
export type Switches = Readonly<z.output<typeof Switches>>;

const Token = z.strictObject({ management: z.boolean().default(false) });

/** What is known before the first request, or added by a test in between. */
export const Seed = z.strictObject({
  tokens: z.record(z.string(), Token.prefault({})).default({}),
  entries: z.array(z.record(z.string(), z.unknown())).default([]),
});
export type Seed = Readonly<z.output<typeof Seed>>;
