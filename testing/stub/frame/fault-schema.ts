import { z } from "zod";
import type { Fault, FaultInput } from "./fault";
import { MatcherSchema } from "./matching-schema";
import { QUOTINGS } from "./quoting";

const schedule = {
  match: MatcherSchema,
  skip: z.int().nonnegative().default(0),
  times: z.union([z.int().positive(), z.literal("always")]).default(1),
};

const milliseconds = z.int().positive();
const headers = z.record(z.string(), z.string()).default({});
const body = z.unknown().optional();

const Edit = z.strictObject({
  method: z.string().min(1),
  path: z.string().startsWith("/"),
  headers,
  body,
});

const LostRequest = z.strictObject({ kind: z.literal("lostRequest"), ...schedule });

const LostResponse = z.strictObject({ kind: z.literal("lostResponse"), ...schedule });

const Status = z.strictObject({
  kind: z.literal("status"),
  ...schedule,
  status: z.int().min(200).max(599),
  headers,
  body,
  acts: z.boolean().default(false),
});

const Quote = z.strictObject({
  kind: z.literal("quote"),
  ...schedule,
  status: z.int().min(400).max(599).default(400),
  spellings: z.array(z.enum(QUOTINGS)).default(["plain"]),
  from: z.int().nonnegative().default(0),
  length: z.int().positive().optional(),
});

const TornBody = z.strictObject({ kind: z.literal("tornBody"), ...schedule });

const SlowDrip = z.strictObject({ kind: z.literal("slowDrip"), ...schedule, milliseconds });

const Html = z.strictObject({
  kind: z.literal("html"),
  ...schedule,
  body: z.string().default("<!doctype html><html><head><title>Sign in</title></head><body></body></html>"),
});

const Kill = z.strictObject({
  kind: z.literal("kill"),
  ...schedule,
  pid: z
    .int()
    .min(2)
    .refine((pid) => pid !== process.pid, "is the stub's own process"),
  acts: z.boolean().default(false),
});

const Delay = z.strictObject({
  kind: z.literal("delay"),
  ...schedule,
  milliseconds,
  before: z.enum(["answer", "service"]).default("answer"),
});

const Stale = z.strictObject({ kind: z.literal("stale"), ...schedule });

const EditFault = z.strictObject({ kind: z.literal("edit"), ...schedule, requests: z.array(Edit).min(1) });

/** The schemas of {@link Fault} and {@link FaultInput}, which document each member. */
export const FaultSchema = z.discriminatedUnion("kind", [
  LostRequest,
  LostResponse,
  Status,
  Quote,
  TornBody,
  SlowDrip,
  Html,
  Kill,
  Delay,
  Stale,
  EditFault,
]) satisfies z.ZodType<Fault, FaultInput>;
