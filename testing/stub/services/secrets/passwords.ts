import { serverError } from "./errors";
import type { Operation } from "./operation";
import type { PasswordPolicy } from "./settings";

/**
 * A password of `length` letters and digits, or by the named policy. A policy "must exist when passwords are generated", not
 * before.
 */
export function generatePassword(
  { world, namespace, randomness }: Operation,
  policyName: string,
  length: number,
): string {
  if (policyName === "") return randomness.text(length);
  const written = namespace.passwordPolicies.get(policyName);
  const policy = written === undefined ? world.passwordPolicies.get(policyName) : policyIn(written);
  if (policy === undefined) throw serverError(`no password policy found: ${policyName}`);
  return randomness.text(policy.length, policy.alphabet);
}

/** The length and the characters of a policy's text. */
function policyIn(text: string): PasswordPolicy {
  const alphabet = [...text.matchAll(/charset\s*=\s*"([^"]*)"/g)]
    .map(([, characters]) => characters)
    .join("");
  return { length: Number(/length\s*=\s*(\d+)/.exec(text)?.[1] ?? 20), alphabet };
}
