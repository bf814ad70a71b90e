import { z } from "zod";
import { loginOf } from "../../logins";
import type { SecretsSwitches } from "./switches";

/** The shape of {@link SecretsSwitches}, which says what each is. */
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

/** A login at an auth method's path, `auth/approle/login`. */
const SecretsLogin = loginOf(Token.prefault({})).extend({ path: z.string() });

export const EngineType = z.enum(["queue", "cloud", "directory"]);
export type EngineType = z.output<typeof EngineType>;

/** What is mounted in a namespace whose seed does not say it, under the dialect in which the service starts. */
export const DEFAULT_MOUNTS = {
  neutral: { msgq: "queue", cloud: "cloud", ldap: "directory" },
  real: { rabbitmq: "queue", aws: "cloud", ldap: "directory" },
} as const satisfies Record<Switches["dialect"], Record<string, EngineType>>;

const Namespace = z.strictObject({
  /** Engines by mount path, which may hold slashes. Default: one of each, where the dialect has them usually. */
  mounts: z.record(z.string(), EngineType).optional(),
});

const PasswordPolicy = z.strictObject({ length: z.int().positive(), alphabet: z.string().min(1).optional() });
export type PasswordPolicy = Readonly<z.output<typeof PasswordPolicy>>;

/** What is known before the first request, or added by a test in between. */
export const Seed = z.strictObject({
  tokens: z.record(z.string(), Token.prefault({})).default({}),
  policies: z.record(z.string(), Policy).default({}),
  /** What may log in. */
  logins: z.array(SecretsLogin).default([]),
  /** By path, parents before children; the root namespace is `""` and always there. */
  namespaces: z.record(z.string(), Namespace.prefault({})).default({}),
  /** The types of auth methods that a login enforcement may name. */
  authTypes: z
    .array(z.string())
    .default(["token", "userpass", "ldap", "approle", "oidc", "jwt", "kubernetes", "cert"]),
  /** By name, for what generates passwords by a policy. */
  passwordPolicies: z.record(z.string(), PasswordPolicy).default({}),
  /** The accounts that exist in the directory; null: every name does. */
  directoryAccounts: z.array(z.string()).nullable().optional(),
  /** The groups, entities and auth mounts that a login enforcement may name; null: every name is known. */
  identityIds: z.array(z.string()).nullable().optional(),
  /** Cloud roles whose data an earlier release accepted and this one does not. */
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
  /** The recovery key's shares in base64, and how many of them make the key. */
  recoveryKey: z.strictObject({ shares: z.array(z.string()), threshold: z.int().nonnegative() }).optional(),
});
export type Seed = Readonly<z.output<typeof Seed>>;
