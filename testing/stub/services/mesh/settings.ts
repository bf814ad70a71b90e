import { z } from "zod";
import { loginOf } from "../../logins";
import { rateLimit } from "../../rate-limit";
import type { MeshSwitches } from "./switches";

/** The schema of {@link MeshSwitches}, which documents each switch. */
export const Switches = z.strictObject({
  dialect: z.enum(["neutral", "real"]).default("real"),
  datacenter: z.string().default("dc1"),
  partition: z.string().default("default"),
  primaryDatacenter: z.string().default(""),
  copiedAfterMilliseconds: z.int().nonnegative().default(0),
  acl: z.boolean().default(true),
  adds: z.boolean().default(true),
  normalizes: z.boolean().default(true),
  reconciles: z.boolean().default(true),
  edition: z.enum(["community", "enterprise"]).optional(),
  meshHasName: z.boolean().optional(),
  readsCertificates: z.boolean().default(false),
  release: z.enum(["1.22", "later"]).default("1.22"),
  rateLimit,
  lastContactMilliseconds: z.int().nonnegative().default(0),
  followersLag: z.boolean().default(false),
  knownLeader: z.boolean().default(true),
}) satisfies z.ZodType<MeshSwitches>;
export type Switches = Readonly<z.output<typeof Switches>>;

const Level = z.enum(["read", "write", "deny"]);
export type Level = z.output<typeof Level>;

const ByName = z.record(z.string(), Level).default({});

/** A token's permissions in every namespace, in the form of ACL rules. */
const Rules = z.strictObject({
  /** By exact name, which takes precedence over every prefix. */
  service: ByName,
  /** By name prefix, the longest first; `""` matches every name. */
  servicePrefix: ByName,
  /** Without a rule here, a permission to read or write a service includes reading its intentions. */
  intentions: ByName,
  intentionsPrefix: ByName,
  key: ByName,
  keyPrefix: ByName,
  mesh: Level.optional(),
  operator: Level.optional(),
  acl: Level.optional(),
});
export type Rules = Readonly<z.output<typeof Rules>>;

const Token = z.strictObject({
  /** Error messages name the accessor instead of the secret. */
  accessor: z.string().default(""),
  /** A management token has every permission. */
  management: z.boolean().default(false),
  rules: Rules.prefault({}),
  /** The token's namespace. */
  namespace: z.string().optional(),
  /** The token's partition. */
  partition: z.string().optional(),
});
export type Token = Readonly<z.output<typeof Token>>;

/**
 * The location of a seeded entry. Defaults: the primary datacenter or else the agent's own, partition and namespace
 * `default`.
 */
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

/** The state before the first request, or an administrator's later additions. */
export const Seed = z.strictObject({
  /** By secret ID. Callers without a token get the one named `anonymous`. */
  tokens: z.record(z.string(), Token.prefault({})).default({}),
  /** The identities that may log in. */
  logins: z.array(loginOf(Token.prefault({}))).default([]),
  /** In addition to the agent's own. */
  datacenters: z.array(z.string()).default([]),
  /** In addition to `default`. */
  partitions: z.array(z.string()).default([]),
  /** In addition to `default`, in every partition. */
  namespaces: z.array(z.string()).default([]),
  /** As in the body of a PUT. The rules between entries are not checked, so any order works. */
  entries: z.array(z.strictObject({ ...At, entry: z.record(z.string(), z.unknown()) })).default([]),
  /** Entries to delete, by kind and name; a missing entry is not an error. */
  removed: z.array(z.strictObject(Named)).default([]),
  /** The `Status.Conditions` that the controller sets on an entry. Increments the index. */
  statuses: z.array(z.strictObject({ ...Named, conditions: z.array(Condition) })).default([]),
  /** Entries whose index increases without any other change. */
  reindexed: z.array(z.strictObject(Named)).default([]),
});
export type Seed = Readonly<z.output<typeof Seed>>;
