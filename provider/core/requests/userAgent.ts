import { ADOPTION, ADOPTION_VARIABLE, ADOPTIONS } from "../language/adoption";
import type { Problem } from "../language/rules";
import { type Configuration, ConfigurationError } from "./given";

/** Which stack requests are sent for, as far as it is known. */
export interface StackNames {
  readonly project?: string | undefined;
  readonly stack?: string | undefined;
}

/** The names in a URN: `urn:pulumi:<stack>::<project>::…`. */
export function namesIn(urn: string): StackNames {
  const [, stack, project] = /^urn:pulumi:(.*?)::(.*?)::/.exec(urn) ?? [];
  return { ...(stack && { stack }), ...(project && { project }) };
}

/** So much of a name is told. */
const LONGEST = 100;

/**
 * What requests say of whose they are: products with their versions, and as a comment the project and the stack. A name
 * is sent in its own letters as far as a header's comment can hold them, and percent-encoded beyond.
 */
export function userAgentOf(products: readonly string[], { project, stack }: StackNames = {}): string {
  const names = [
    ...(project ? [`project ${encoded(project)}`] : []),
    ...(stack ? [`stack ${encoded(stack)}`] : []),
  ];
  return [...products, ...(names.length > 0 ? [`(${names.join("; ")})`] : [])].join(" ");
}

function encoded(name: string): string {
  // Half a character is no text that can be encoded.
  const whole = [...name.toWellFormed()].slice(0, LONGEST).join("");
  return encodeURIComponent(whole).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}

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
