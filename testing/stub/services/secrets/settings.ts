import { z } from "zod";

/** What a test may switch, at the start or later; every key has the specification's default. */
export const Switches = z.strictObject({
  /** `real` uses the header and field names of the real product, and its path of the MFA method. */
  dialect: z.enum(["neutral", "real"]).default("neutral"),
  /** `down`: the message broker cannot be reached, so that a verified connection is refused with 500. */
  broker: z.enum(["up", "down"]).default("up"),
  /** The greatest ttl of every mount, and what a lease lasts where nothing else is configured. */
  mountMaximumTtl: z.int().positive().default(2_764_800),
});
export type Switches = Readonly<z.output<typeof Switches>>;

const Capability = z.enum(["create", "read", "update", "delete", "list", "sudo", "deny"]);
export type Capability = z.output<typeof Capability>;

/** Capabilities by path; a path may end in `*` and hold `+` for one segment. */
const Policy = z.record(z.string(), z.array(Capability));
export type Policy = Readonly<z.output<typeof Policy>>;

const Token = z.strictObject({
  /** Names of policies; `root` may do everything. */
  policies: z.array(z.string()).default(["root"]),
  /** The namespace that the token belongs to; its policies' paths are relative to that. */
  namespace: z.string().default(""),
  displayName: z.string().default("token"),
  entityId: z.string().default(""),
});
export type Token = Readonly<z.output<typeof Token>>;

export const EngineType = z.enum(["queue", "cloud", "directory"]);
export type EngineType = z.output<typeof EngineType>;

const DEFAULT_MOUNTS = { msgq: "queue", cloud: "cloud", ldap: "directory" } as const;

const Namespace = z.strictObject({
  /** Engines by mount path, which may hold slashes. */
  mounts: z.record(z.string(), EngineType).default(DEFAULT_MOUNTS),
});

/** What is known before the first request, or added by a test in between. */
export const Seed = z.strictObject({
  tokens: z.record(z.string(), Token.prefault({})).default({}),
  policies: z.record(z.string(), Policy).default({}),
  /** By path, parents before children; the root namespace is `""` and always there. */
  namespaces: z.record(z.string(), Namespace.prefault({})).default({}),
  /** The types of auth methods that a login enforcement may name. */
  authTypes: z
    .array(z.string())
    .default(["token", "userpass", "ldap", "approle", "oidc", "jwt", "kubernetes", "cert"]),
});
export type Seed = Readonly<z.output<typeof Seed>>;
