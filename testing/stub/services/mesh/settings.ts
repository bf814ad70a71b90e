import { z } from "zod";
import { loginOf } from "../../logins";
import { rateLimit } from "../../rate-limit";
import type { MeshSwitches } from "./switches";

/** The shape of {@link MeshSwitches}, which says what each is. */
export const Switches = z.strictObject({
  dialect: z.enum(["neutral", "real"]).default("real"),
  datacenter: z.string().default("dc1"),
  partition: z.string().default("default"),
  primaryDatacenter: z.string().default(""),
  copiedAfterMilliseconds: z.int().nonnegative().default(0),
  acl: z.boolean().default(true),
  adds: z.boolean().default(true),
  normalises: z.boolean().default(true),
  reconciles: z.boolean().default(true),
  edition: z.enum(["community", "enterprise"]).optional(),
  meshHasName: z.boolean().optional(),
  readsCertificates: z.boolean().default(false),
  rateLimit,
  lastContactMilliseconds: z.int().nonnegative().default(0),
  followersLag: z.boolean().default(false),
  knownLeader: z.boolean().default(true),
}) satisfies z.ZodType<MeshSwitches>;
export type Switches = Readonly<z.output<typeof Switches>>;

const Level = z.enum(["read", "write", "deny"]);
export type Level = z.output<typeof Level>;

const ByName = z.record(z.string(), Level).default({});

/** The rights of one token in every namespace, as ACL rules give them. */
const Rules = z.strictObject({
  /** By the exact name, which comes before every prefix. */
  service: ByName,
  /** By the start of the name, the longest first; `""` is every name. */
  servicePrefix: ByName,
  /** Where nothing is said, who may read or write a service may read its intentions. */
  intentions: ByName,
  intentionsPrefix: ByName,
  mesh: Level.optional(),
  operator: Level.optional(),
});
export type Rules = Readonly<z.output<typeof Rules>>;

const Token = z.strictObject({
  /** What a refusal names instead of the secret. */
  accessor: z.string().default(""),
  /** A management token may do everything. */
  management: z.boolean().default(false),
  rules: Rules.prefault({}),
  /** The namespace that the token belongs to. */
  namespace: z.string().optional(),
  /** The partition that the token belongs to. */
  partition: z.string().optional(),
});
export type Token = Readonly<z.output<typeof Token>>;

/** Where an entry of a seed is: in the primary datacenter, else in the agent's own; in `default`. */
const At = {
  datacenter: z.string().optional(),
  partition: z.string().optional(),
  namespace: z.string().optional(),
};

const Named = { ...At, kind: z.string(), name: z.string() };

const Condition = z.strictObject({
  Type: z.string(),
  Status: z.enum(["True", "False", "Unknown"]).default("True"),
  Reason: z.string().default(""),
  Message: z.string().default(""),
  Resource: z.record(z.string(), z.unknown()).nullable().default(null),
});

/** What is known before the first request, or added by an administrator in between. */
export const Seed = z.strictObject({
  /** By secret id. The one named `anonymous` is everybody who sends none. */
  tokens: z.record(z.string(), Token.prefault({})).default({}),
  /** What may log in. */
  logins: z.array(loginOf(Token.prefault({}))).default([]),
  /** Besides the agent's own. */
  datacenters: z.array(z.string()).default([]),
  /** Besides `default`. */
  partitions: z.array(z.string()).default([]),
  /** Besides `default`, in every partition. */
  namespaces: z.array(z.string()).default([]),
  /** As in the body of a PUT. The rules between entries are not asked, so any order will do. */
  entries: z.array(z.strictObject({ ...At, entry: z.record(z.string(), z.unknown()) })).default([]),
  /** By kind and name, without an error where there is none. */
  removed: z.array(z.strictObject(Named)).default([]),
  /** What the service says of its own of an entry: `Status.Conditions`. Moves the index. */
  statuses: z.array(z.strictObject({ ...Named, conditions: z.array(Condition) })).default([]),
  /** Entries whose index moves, and nothing else of them. */
  reindexed: z.array(z.strictObject(Named)).default([]),
});
export type Seed = Readonly<z.output<typeof Seed>>;
