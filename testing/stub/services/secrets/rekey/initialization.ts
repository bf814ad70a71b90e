import { invalid, Refusal } from "../errors";
import type { Operation } from "../operation";
import { pgpKey } from "./pgp";

/** POST init: "new nonce; only one rekey at a time". */
export function start({ world, fields, randomness, request, switches }: Operation): void {
  if (world.recovery.attempt !== null) throw invalid("rekey already in progress");
  const newShares = fields.integer("secret_shares") ?? 0;
  const newThreshold = fields.integer("secret_threshold") ?? 0;
  if (newShares < 1 || newShares > 255) {
    const words = newShares < 1 ? "shares must be at least one" : "shares must be less than 256";
    throw switches.dialect === "real"
      ? new Refusal(500, [`invalid recovery configuration: ${words}`])
      : invalid("secret_shares must be from 1 to 255");
  }
  if (newThreshold < 1) throw invalid("secret_threshold must be at least 1");
  if (newThreshold > newShares) throw invalid("secret_threshold must not be greater than secret_shares");
  if (newShares > 1 && newThreshold === 1) {
    throw invalid("secret_threshold must be greater than 1 where there are several shares");
  }
  const pgpKeys = (fields.list("pgp_keys") ?? []).map(pgpKey);
  if (pgpKeys.length > 0 && pgpKeys.length !== newShares) {
    throw invalid("the number of pgp_keys must be the same as secret_shares");
  }
  const isBackedUp = fields.boolean("backup") ?? false;
  if (isBackedUp && pgpKeys.length === 0) throw invalid("cannot request a backup without pgp_keys");
  world.recovery = {
    ...world.recovery,
    attempt: {
      nonce: randomness.uuid(),
      startedAt: request.now,
      newShares,
      newThreshold,
      pgpKeys,
      isBackedUp,
      needsVerification: fields.boolean("require_verification") ?? false,
      given: [],
      verification: null,
    },
  };
}
