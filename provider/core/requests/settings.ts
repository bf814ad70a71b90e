import { z } from "zod";
import { ADOPTION, ADOPTION_VARIABLE, ADOPTIONS } from "../language/adoption";
import { innerSchema } from "../language/fields";
import type { Problem } from "../language/rules";
import type { Service, Settings } from "../language/service";
import { commonSettings, environmentName, TOKEN_SETTINGS } from "../language/settings";
import { type Json, objectIn, ownMember } from "../value/json";
import { memoByObject } from "../value/memo";
import { addressCommand, type Configuration, ConfigurationError, type Given, inOurNames } from "./given";

const NUMERIC = new Set(["timeout", "maxRetries"]);
const BOOLEANS = new Map([
  ["true", true],
  ["false", false],
]);

/**
 * The settings of a connection, after validation.
 * @throws {@link ConfigurationError} with each setting that is missing or wrong, and where it is set
 */
export function validSettings(service: Service, { given, key, variables, dialect }: Given): Settings {
  const { settings, problems } = settingsIn(service, given, key, variables);
  const tokens = TOKEN_SETTINGS.filter((name) => given[name] !== undefined);
  if (tokens.length > 1)
    problems.push({ path: key, reason: `has ${tokens.join(" and ")}: set only one of them` });
  if (given.address === undefined) {
    const product = service.dialects[dialect.name]?.variables?.names.address ?? [];
    const variable = [environmentName(service, "address"), ...product].join(" or ");
    const reason = `is missing; set ${variable}, or run: ${addressCommand(key)}`;
    problems.push({ path: `${key}.address`, reason });
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return settings;
}

const schemaOf = memoByObject((service: Service) =>
  z.strictObject({ ...commonSettings, ...service.settings }),
);

/**
 * Parses the settings of a service. Returns the valid settings and the problems.
 * @param variables the environment variables that set some of them
 */
export function settingsIn(
  service: Service,
  given: { readonly [name: string]: Json },
  key: string,
  variables: Given["variables"] = {},
): { settings: Settings; problems: Problem[] } {
  const schema = schemaOf(service);
  const result = schema.safeParse(asWritten(schema.shape, inOurNames(given)));
  const allowed = Object.keys(schema.shape).join(", ");
  const issues = result.success ? [] : result.error.issues;
  const problems = issues.flatMap((issue): Problem[] =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((name) => ({
          path: `${key}.${name}`,
          reason: `unknown setting; known: ${allowed}`,
        }))
      : [
          {
            path: `${key}.${issue.path.join(".")}`,
            reason: issue.message + from(variables[String(issue.path[0])]),
          },
        ],
  );
  // The schema allows only strings, numbers, booleans, string lists and logins, as `Settings` does.
  return { settings: (result.data ?? {}) as Settings, problems };
}

const from = (variable: string | undefined) => (variable === undefined ? "" : ` (from ${variable})`);

/**
 * Numbers, booleans and objects may be strings: in the environment, and in an engine that stores a `config set` argument as
 * given.
 */
function asWritten(shape: Readonly<Record<string, z.ZodType>>, given: { readonly [name: string]: Json }) {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (typeof value !== "string" || value.trim() === "") return [name, value];
      if (name === "login") return [name, objectIn(value) ?? value];
      const schema = ownMember(shape, name);
      if (schema && innerSchema(schema) instanceof z.ZodBoolean) return [name, BOOLEANS.get(value) ?? value];
      return [name, NUMERIC.has(name) ? Number(value) : value];
    }),
  );
}

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
