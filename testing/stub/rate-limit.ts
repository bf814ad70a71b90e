import { z } from "zod";

/** The schema of a rate limit among a service's switches; null for none. */
export const rateLimit = z
  .strictObject({
    limit: z.int().positive(),
    windowMilliseconds: z.int().positive().default(1000),
    retryAfter: z.boolean().default(false),
  })
  .nullable()
  .default(null);
