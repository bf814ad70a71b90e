import { z } from "zod";
import { loginOf } from "../../logins";
import type { SecretsSwitches } from "./switches";

/** The schema of {@link SecretsSwitches}, which documents each switch. */
export const Switches = z.strictObject({
  dialect: z.enum(["neutral", "real"]).default("real"),
  broker: z.enum(["up", "down"]).default("up"),
  rootUserKeys: z.int().positive().default(1),
  absentStaticRoleDelete: z.union([z.literal(204), z.literal(500)]).default(204),
  recoveryKeysSupported: z.boolean().default(true),
  cancelNeedsNonce: z.boolean().default(false),
  rekey: z.enum(["unauthenticated", "authenticated", "both"]).default("unauthenticated"),
  updates: z.enum(["merge", "replace"]).default("merge"),
  mountMaximumTtl: z.int().positive().default(2_764_800),
  activeServer: z.union([z.literal(""), z.url()]).default(""),
  namesStates: z.boolean().default(false),
  policyVersions: z.boolean().default(true),
  namespaceDeletionMs: z.int().nonnegative().default(0),
  remountMs: z.int().nonnegative().default(0),
  edition: z.enum(["enterprise", "community"]).default("enterprise"),
  directoryProduct: z.enum(["vault", "openbao"]).default("vault"),
  laterFields: z
    .record(
      z.string(),
      z.strictObject({
        kind: z.enum(["writable", "reset when omitted", "read-only", "refused"]),
        initially: z.json(),
      }),
    )
    .default({}),
}) satisfies z.ZodType<SecretsSwitches>;
export type Switches = Readonly<z.output<typeof Switches>>;

const Capability = z.enum(["create", "read", "update", "patch", "delete", "list", "sudo", "deny"]);
export type Capability = z.output<typeof Capability>;

/** Capabilities by path; a path may end in `*` and contain `+` for one segment. */
const Policy = z.record(z.string(), z.array(Capability));
export type Policy = Readonly<z.output<typeof Policy>>;

const Token = z.strictObject({
  /** Names of policies; `root` has every permission. */
  policies: z.array(z.string()).default(["root"]),
  /** The token's namespace; the paths of its policies are relative to it. */
  namespace: z.string().default(""),
  displayName: z.string().default("token"),
  entityId: z.string().default(""),
});
export type Token = Readonly<z.output<typeof Token>>;

/** A login at an auth method's path, such as `auth/approle/login`. */
const SecretsLogin = loginOf(Token.prefault({})).extend({ path: z.string() });

export const EngineType = z.enum(["queue", "cloud", "directory", "kv"]);
export type EngineType = z.output<typeof EngineType>;

/** The default mounts of a namespace whose seed lists none, by the dialect at the start. */
export const DEFAULT_MOUNTS = {
  neutral: { msgq: "queue", cloud: "cloud", ldap: "directory", kv: "kv" },
  real: { rabbitmq: "queue", aws: "cloud", ldap: "directory", kv: "kv" },
} as const satisfies Record<Switches["dialect"], Record<string, EngineType>>;

const Namespace = z.strictObject({
  /** Engines by mount path, which may contain slashes. Default: one engine of each type, at the dialect's usual path. */
  mounts: z.record(z.string(), EngineType).optional(),
});

const PasswordPolicy = z.strictObject({ length: z.int().positive(), alphabet: z.string().min(1).optional() });
export type PasswordPolicy = Readonly<z.output<typeof PasswordPolicy>>;

/** The state before the first request, or a test's later additions. */
export const Seed = z.strictObject({
  tokens: z.record(z.string(), Token.prefault({})).default({}),
  policies: z.record(z.string(), Policy).default({}),
  /** The identities that may log in. */
  logins: z.array(SecretsLogin).default([]),
  /** By path, parents before children; the root namespace is `""` and always exists. */
  namespaces: z.record(z.string(), Namespace.prefault({})).default({}),
  /** The types of auth methods that a login enforcement may name. */
  authTypes: z
    .array(z.string())
    .default(["token", "userpass", "ldap", "approle", "oidc", "jwt", "kubernetes", "cert"]),
  /** By name, for engines that generate passwords by a policy. */
  passwordPolicies: z.record(z.string(), PasswordPolicy).default({}),
  /** The accounts that exist in the directory; null means every name exists. */
  directoryAccounts: z.array(z.string()).nullable().optional(),
  /** The groups, entities and auth mounts that a login enforcement may name; null means every name is known. */
  identityIds: z.array(z.string()).nullable().optional(),
  /** AWS roles whose data an earlier release accepted and this one rejects. */
  invalidCloudRoles: z
    .array(
      z.strictObject({
        namespace: z.string().default(""),
        mount: z.string().optional(),
        name: z.string(),
        invalidData: z.string(),
      }),
    )
    .default([]),
  /** The recovery key's shares in base64, and the number of shares that form the key. */
  recoveryKey: z.strictObject({ shares: z.array(z.string()), threshold: z.int().nonnegative() }).optional(),
});
export type Seed = Readonly<z.output<typeof Seed>>;
