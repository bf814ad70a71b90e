import { ADOPTION, ADOPTION_VARIABLE, ADOPTIONS } from "../language/adoption";
import type { Problem } from "../language/rules";
import type { Configuration } from "./given";
import { ConfigurationError } from "./given";

/** What is wrong with what is written there. */
export function adoptionProblems(written: string): Problem[] {
  const allowed = Object.keys(ADOPTIONS);
  if (allowed.includes(written)) return [];
  return [{ path: ADOPTION, reason: `is ${JSON.stringify(written)}; allowed: ${allowed.join(", ")}` }];
}

/**
 * Whether creates take over what they find in their place where it is just what the program writes.
 * @throws ConfigurationError for a word that means nothing here
 */
export function adoptsIdentical({ get, env }: Configuration): boolean {
  const written = get(ADOPTION) || env[ADOPTION_VARIABLE] || "never";
  const problems = adoptionProblems(written);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return written === "identical";
}
