import { z } from "zod";

/** What a test may switch, at the start or later. */
export const Switches = z.strictObject({
  /** `real` uses the header names of the real product. */
  dialect: z.enum(["neutral", "real"]).default("neutral"),
  /** The datacenter of the agent that answers. */
  datacenter: z.string().default("dc1"),
  /** False: ACLs are not enabled, and every request may do everything. */
  acl: z.boolean().default(true),
  /** Whether reads carry what the service adds by itself: empty structures, `Hash`, `Status`. */
  adds: z.boolean().default(true),
  /** Whether writes are stored in the service's own spelling: cases, weights, durations, precedence. */
  normalises: z.boolean().default(true),
  /** Requests per second and token, by the stub's clock; null is no limit. */
  rateLimit: z.int().positive().nullable().default(null),
  lastContactMilliseconds: z.int().nonnegative().default(0),
  knownLeader: z.boolean().default(true),
});
export type Switches = Readonly<z.output<typeof Switches>>;

const Level = z.enum(["read", "write", "deny"]);

/** The rights of one token, as ACL rules give them; names may be `*`. */
const Rules = z.strictObject({
  service: z.record(z.string(), Level).default({}),
  intentions: z.record(z.string(), Level).default({}),
  mesh: Level.optional(),
  operator: Level.optional(),
});
export type Rules = Readonly<z.output<typeof Rules>>;

const Token = z.strictObject({
  /** A management token may do everything. */
  management: z.boolean().default(false),
  rules: Rules.prefault({}),
  /** The namespace that the token belongs to. */
  namespace: z.string().default("default"),
});
export type Token = Readonly<z.output<typeof Token>>;

const Place = {
  datacenter: z.string().optional(),
  namespace: z.string().default("default"),
};

/** What is known before the first request, or added by a test in between. */
export const Seed = z.strictObject({
  /** By secret id. */
  tokens: z.record(z.string(), Token.prefault({})).default({}),
  /** Besides the agent's own. */
  datacenters: z.array(z.string()).default([]),
  /** Besides `default`. */
  namespaces: z.array(z.string()).default([]),
  /** As in the body of a PUT, stored without a check. */
  entries: z.array(z.strictObject({ ...Place, entry: z.record(z.string(), z.unknown()) })).default([]),
  /** Entries whose status the service moves by itself: their index moves, and nothing of the user's. */
  touches: z.array(z.strictObject({ ...Place, kind: z.string(), name: z.string() })).default([]),
});
export type Seed = Readonly<z.output<typeof Seed>>;
