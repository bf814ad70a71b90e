import { isGiven, type Rule, rule } from "../../../core";

/**
 * The rules between the parameters of a rekey (specification: A1, POST init body; Limits, Rekey). The server also rejects
 * input that the specification does not mention: a threshold of one with several shares, and a backup of unencrypted shares.
 */
export const rekeyRules: readonly Rule[] = [
  rule(
    ["secretThreshold", "secretShares"],
    (threshold, shares) => (Number(threshold) > Number(shares) ? "must be at most secretShares" : undefined),
    "must be at most `secretShares`",
  ),
  rule(
    ["secretThreshold", "secretShares"],
    (threshold, shares) =>
      threshold === 1 && Number(shares) > 1
        ? "must be more than 1 if there is more than one share"
        : undefined,
    "must be more than 1 if there is more than one share",
  ),
  rule(
    ["pgpKeys", "secretShares"],
    (keys, shares) =>
      Array.isArray(keys) && keys.length > 0 && keys.length !== Number(shares)
        ? `must have as many elements as secretShares, which is ${String(shares)}`
        : undefined,
    "must have as many elements as `secretShares`",
  ),
  rule(
    ["backup", "pgpKeys"],
    (backup, keys) => backup === true && !isGiven(keys),
    "requires pgpKeys, because the server backs up only encrypted shares",
  ),
];
