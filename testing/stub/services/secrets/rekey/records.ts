import { createHash } from "node:crypto";
import type { PgpKey } from "./pgp";

/** The recovery key, a rekey under way, and the backup of encrypted shares. Never changed in place. */
export interface Recovery {
  /** The current key's shares, in base64. Any `threshold` of them make the key. */
  readonly shares: readonly string[];
  readonly threshold: number;
  readonly attempt: RekeyAttempt | null;
  readonly backup: RekeyBackup | null;
}

export interface RekeyAttempt {
  readonly nonce: string;
  readonly startedAt: number;
  readonly newShares: number;
  readonly newThreshold: number;
  readonly pgpKeys: readonly PgpKey[];
  readonly isBackedUp: boolean;
  readonly needsVerification: boolean;
  /** Shares of the current key, as far as they were given. */
  readonly given: readonly string[];
  /** The nonce of a verification that was restarted before there was anything to verify. */
  readonly idleNonce?: string;
  /** Set once the current key was given: the new shares wait to be verified. */
  readonly verification: Verification | null;
}

export interface Verification {
  readonly nonce: string;
  readonly shares: readonly string[];
  readonly given: readonly string[];
}

export interface RekeyBackup {
  readonly nonce: string;
  /** Hex of the encrypted shares by fingerprint of the PGP key, which may have been given for several. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
}

/** The shares of the recovery key that the stub starts with, two of which make the key. */
export const INITIAL_SHARES: readonly string[] = [1, 2, 3].map((number) =>
  createHash("sha256").update(`recovery share ${number}`).digest("base64"),
);

export function sealedWith(shares: readonly string[] = INITIAL_SHARES, threshold = 2): Recovery {
  return { shares, threshold, attempt: null, backup: null };
}
