import { createHash } from "node:crypto";
import type { PgpKey } from "./pgp";

/** The recovery key, a rekey in progress, and the backup of encrypted shares. Immutable. */
export interface Recovery {
  /** The current key's shares, in base64. Any `threshold` of them form the key. */
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
  /** The shares of the current key provided so far. */
  readonly given: readonly string[];
  /** The nonce of a verification that was restarted before the new shares existed. */
  readonly idleNonce?: string;
  /** Set once the current key was provided: the new shares await verification. */
  readonly verification: Verification | null;
}

export interface Verification {
  readonly nonce: string;
  readonly shares: readonly string[];
  readonly given: readonly string[];
}

export interface RekeyBackup {
  readonly nonce: string;
  /** The encrypted shares in hex, by fingerprint of the PGP key; one key may serve several shares. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
}

/** The shares of the mock server's initial recovery key; two of them form the key. */
export const INITIAL_SHARES: readonly string[] = [1, 2, 3].map((number) =>
  createHash("sha256").update(`recovery share ${number}`).digest("base64"),
);

export function recoveryWith(shares: readonly string[] = INITIAL_SHARES, threshold = 2): Recovery {
  return { shares, threshold, attempt: null, backup: null };
}
