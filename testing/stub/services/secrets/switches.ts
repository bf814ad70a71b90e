import type { FurtherFields } from "./further-field";

/** What a test may switch, at the start or later; every one has the specification's default. */
export interface SecretsSwitches {
  /** `real` uses the header and field names of the real product, and its path of the MFA method. */
  readonly dialect: "neutral" | "real";
  /** `down`: the message broker cannot be reached, so that a verified connection is refused with 500. */
  readonly broker: "up" | "down";
  /** How many access keys the cloud engine's root user has; with more than one, rotating it is refused. */
  readonly rootUserKeys: number;
  /** What deleting a directory's static role answers that is not there: 204, or 500 on one edition. */
  readonly absentStaticRoleDelete: 204 | 500;
  /** False: the seal has no recovery keys, and every rekey request is 400. */
  readonly recoveryKeysSupported: boolean;
  /** True: for the first ten minutes a rekey can only be cancelled with its nonce in the body. */
  readonly cancelNeedsNonce: boolean;
  /**
   * `authenticated`: as OpenBao 2.5 and later by default, where `sys/rekey-recovery-key` is 404 and `sys/rotate/recovery`
   * takes its place, with a token. `unauthenticated`: the specification's requests alone. `both`: as OpenBao with
   * `disable_unauthed_rekey_endpoints = false`.
   */
  readonly rekey: "unauthenticated" | "authenticated" | "both";
  /**
   * `replace`: as older servers, where a write of the cloud engine's root resets every field that it omits, and a write of
   * a directory's configuration resets `schema` and `password_policy`. `merge`: they keep what a write omits.
   */
  readonly updates: "merge" | "replace";
  /** The greatest ttl of every mount, and what a lease lasts where nothing else is configured. */
  readonly mountMaximumTtl: number;
  /**
   * In the dialect `real`: where the active server of a cluster is, by its address; requests to any other host come to a
   * standby, which answers reads from before the latest write. Empty: the servers are no cluster.
   */
  readonly activeServer: string;
  /** True: servers of a cluster name the state that they show, and heed a request that names one. */
  readonly namesStates: boolean;
  /** In the dialect `real`: whose directory engine it is. Only Vault's has `credential_type` and automated rotation. */
  readonly directoryProduct: "vault" | "openbao";
  /** Fields of a later release, which every object that can be read and written has besides its own. */
  readonly laterFields: FurtherFields;
}
