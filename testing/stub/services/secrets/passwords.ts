import { serverError } from "./errors";
import type { Operation } from "./operation";

/**
 * A password of `length` letters and digits, or by the named policy. A policy "must exist when passwords are generated", not
 * before.
 */
export function generatePassword(
  { world, randomness }: Operation,
  policyName: string,
  length: number,
): string {
  if (policyName === "") return randomness.text(length);
  const policy = world.passwordPolicies.get(policyName);
  if (policy === undefined) throw serverError(`no password policy found: ${policyName}`);
  return randomness.text(policy.length, policy.alphabet);
}
