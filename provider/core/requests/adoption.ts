import { ADOPTION, ADOPTION_VARIABLE, ADOPTIONS } from "../language/adoption";
import type { Problem } from "../language/rules";
import { type Configuration, ConfigurationError } from "./given";

/** The problems of an adoption setting. */
export function adoptionProblems(written: string): Problem[] {
  const allowed = Object.keys(ADOPTIONS);
  if (allowed.includes(written)) return [];
  return [{ path: ADOPTION, reason: `is ${JSON.stringify(written)}; allowed: ${allowed.join(", ")}` }];
}

/**
 * True if creates adopt an existing object that is identical to the program's object.
 * @throws ConfigurationError for an unknown value
 */
export function adoptsIdentical({ get, env }: Configuration): boolean {
  const written = get(ADOPTION) || env[ADOPTION_VARIABLE] || "never";
  const problems = adoptionProblems(written);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return written === "identical";
}
