import { z } from "zod";
import { SERVICE_NAMES } from "../service";
import type { Matcher, RequestFilter } from "./matching";

export const ServiceNames = z.enum(SERVICE_NAMES);

const conditions = {
  method: z.string().min(1).optional(),
  path: z.string().startsWith("/").optional(),
  pathPattern: z.string().refine(isPattern, "is not a regular expression").optional(),
  query: z.record(z.string(), z.string()).optional(),
  bodyIncludes: z.string().min(1).optional(),
};

export const MatcherSchema = z.strictObject({
  service: ServiceNames,
  ...conditions,
}) satisfies z.ZodType<Matcher>;

export const RequestFilterSchema = z.strictObject({
  service: ServiceNames.optional(),
  ...conditions,
  after: z.int().nonnegative().optional(),
  outcome: z.enum(["open", "answered", "lost"]).optional(),
}) satisfies z.ZodType<RequestFilter>;

function isPattern(text: string): boolean {
  try {
    return new RegExp(text) !== undefined;
  } catch {
    return false;
  }
}
