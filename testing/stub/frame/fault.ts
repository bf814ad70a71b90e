import { z } from "zod";
import { Matcher } from "./matching";
import { QUOTINGS } from "./quoting";

const schedule = {
  match: Matcher,
  /** How many matching requests pass first. */
  skip: z.int().nonnegative().default(0),
  /** How many matching requests it is for, from then on; `always` for every one. */
  times: z.union([z.int().positive(), z.literal("always")]).default(1),
};

const milliseconds = z.int().positive();
const headers = z.record(z.string(), z.string()).default({});
const body = z.unknown().optional();

/** Another request, made against the same service within the stub, without a socket. */
const Edit = z.strictObject({
  method: z.string().min(1),
  /** With its query. */
  path: z.string().startsWith("/"),
  headers,
  /** An object is sent as JSON, a string as it stands. */
  body,
});
export type Edit = Readonly<z.output<typeof Edit>>;

/** The connection is reset before the service sees the request. */
const LostRequest = z.strictObject({ kind: z.literal("lostRequest"), ...schedule });

/** The service acts, and the connection is reset before anything of its answer is sent. */
const LostResponse = z.strictObject({ kind: z.literal("lostResponse"), ...schedule });

/** This answer in place of the service's. */
const Status = z.strictObject({
  kind: z.literal("status"),
  ...schedule,
  status: z.int().min(200).max(599),
  headers,
  body,
  /** Whether the service acted all the same. */
  acts: z.boolean().default(false),
});

/**
 * A refusal that quotes every text of the request's body, spelled in each of these ways within the next, from one
 * character on and no longer than another; the service sees nothing.
 */
const Quote = z.strictObject({
  kind: z.literal("quote"),
  ...schedule,
  status: z.int().min(400).max(599).default(400),
  spellings: z.array(z.enum(QUOTINGS)).default(["plain"]),
  from: z.int().nonnegative().default(0),
  length: z.int().positive().optional(),
});

/** The service acts; half of its answer's bytes arrive, then the connection is closed. */
const TornBody = z.strictObject({ kind: z.literal("tornBody"), ...schedule });

/** The service acts; its answer's body arrives byte by byte, over this time by the stub's clock. */
const SlowDrip = z.strictObject({ kind: z.literal("slowDrip"), ...schedule, milliseconds });

/** The answer is 200 with an HTML page, as from a proxy that wants a login; the service sees nothing. */
const Html = z.strictObject({
  kind: z.literal("html"),
  ...schedule,
  body: z.string().default("<!doctype html><html><head><title>Sign in</title></head><body></body></html>"),
});

/** The process that made the request is killed (SIGKILL), and gets no answer. */
const Kill = z.strictObject({
  kind: z.literal("kill"),
  ...schedule,
  pid: z
    .int()
    .min(2)
    .refine((pid) => pid !== process.pid, "is the stub's own process"),
  /** Whether the service acts before. */
  acts: z.boolean().default(false),
});

/** The request or its answer waits this long by the stub's clock; advancing that lets it go. */
const Delay = z.strictObject({
  kind: z.literal("delay"),
  ...schedule,
  milliseconds,
  /**
   * `answer`: the service acts at once. `service`: it acts late, and even where the caller gave up waiting, like
   * a request that was stuck on the way.
   */
  before: z.enum(["answer", "service"]).default("answer"),
});

/** The service answers from before its latest write. */
const Stale = z.strictObject({ kind: z.literal("stale"), ...schedule });

/** Somebody else edits just before the service handles the request. */
const EditFault = z.strictObject({ kind: z.literal("edit"), ...schedule, requests: z.array(Edit).min(1) });

/** One thing that goes wrong, and for which requests. */
export const Fault = z.discriminatedUnion("kind", [
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
]);
/** A fault as a test writes it, without what has a default. */
export type FaultInput = Readonly<z.input<typeof Fault>>;
export type Fault = Readonly<z.output<typeof Fault>>;
export type FaultKind = Fault["kind"];
export type FaultOf<Kind extends FaultKind> = Extract<Fault, { kind: Kind }>;
