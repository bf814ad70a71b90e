import type { FurtherFields } from "./further-field";

/** The switches that a test can set, at the start or later; each defaults to the specification's behavior. */
export interface SecretsSwitches {
  /** `real` uses Vault's header and field names, and its path of the MFA method. */
  readonly dialect: "neutral" | "real";
  /** `down`: the message broker is unreachable, so the server rejects a verified connection with a 500. */
  readonly broker: "up" | "down";
  /** The number of access keys of the AWS engine's root user; with more than one, the server refuses to rotate it. */
  readonly rootUserKeys: number;
  /** The status for deleting an absent static role of a directory: 204, or 500 in one edition. */
  readonly absentStaticRoleDelete: 204 | 500;
  /** False: the seal has no recovery keys, and every rekey request is a 400. */
  readonly recoveryKeysSupported: boolean;
  /** True: for the first ten minutes, cancelling a rekey requires its nonce in the body. */
  readonly cancelNeedsNonce: boolean;
  /**
   * `authenticated`: OpenBao 2.5 and later by default; `sys/rekey-recovery-key` is 404, and `sys/rotate/recovery` replaces
   * it, with a token. `unauthenticated`: only the requests of the specification. `both`: OpenBao with
   * `disable_unauthed_rekey_endpoints = false`.
   */
  readonly rekey: "unauthenticated" | "authenticated" | "both";
  /**
   * `replace`: as older servers. A write of the AWS engine's root resets every omitted field, and a write of a directory's
   * configuration resets `schema` and `password_policy`. `merge`: omitted fields keep their values.
   */
  readonly updates: "merge" | "replace";
  /** The maximum TTL of every mount, and the default duration of a lease. */
  readonly mountMaximumTtl: number;
  /**
   * In the dialect `real`: the address of a cluster's active server. Requests to any other host reach a standby, which
   * answers reads with the state before the latest write. Empty: there is no cluster.
   */
  readonly activeServer: string;
  /** True: servers of a cluster return the index of their state, and respect the index that a request requires. */
  readonly namesStates: boolean;
  /** True: ACL policies have versions and check-and-set, as in OpenBao 2.3.1 and later. False: as in Vault. */
  readonly policyVersions: boolean;
  /** The duration of the deletion of a namespace's contents, in milliseconds. */
  readonly namespaceDeletionMs: number;
  /** The duration of a remount, in milliseconds. */
  readonly remountMs: number;
  /**
   * In the dialect `real`: the edition of Vault. The Community Edition rejects scheduled rotations, and ignores the
   * properties of AWS static roles in other accounts.
   */
  readonly edition: "enterprise" | "community";
  /** In the dialect `real`: the product of the LDAP engine. Only Vault's has `credential_type` and automated rotation. */
  readonly directoryProduct: "vault" | "openbao";
  /** Fields of a later release that every readable and writable object has in addition to its own. */
  readonly laterFields: FurtherFields;
}
