import { reveal, Secret } from "../../state/values";
import type { DeployOptions } from "./options";

type Config = DeployOptions["config"];

/** The configuration for programs: strings, including secrets in plain text. */
export function plainConfig(config: Config): Record<string, string> {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => {
      const plain = reveal(value);
      return [key, typeof plain === "string" ? plain : JSON.stringify(plain)];
    }),
  );
}

/** The configuration keys with secret values. */
export function secretKeys(config: Config): string[] {
  return Object.keys(config).filter((key) => config[key] instanceof Secret);
}

/** The configuration with secrets masked, for display. */
export function maskedConfig(config: Config): Record<string, string> {
  const hidden = new Set(secretKeys(config));
  const masked = Object.entries(plainConfig(config)).map(([key, value]) => [
    key,
    hidden.has(key) ? "[secret]" : value,
  ]);
  return Object.fromEntries(masked);
}
