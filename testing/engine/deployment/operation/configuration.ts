import { reveal, Secret } from "../../state/values";
import type { DeployOptions } from "./options";

type Config = DeployOptions["config"];

/** The configuration as programs get it: texts, secrets included. */
export function plainConfig(config: Config): Record<string, string> {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => {
      const plain = reveal(value);
      return [key, typeof plain === "string" ? plain : JSON.stringify(plain)];
    }),
  );
}

/** The keys whose values a program must treat as secrets. */
export function secretKeys(config: Config): string[] {
  return Object.keys(config).filter((key) => config[key] instanceof Secret);
}

/** The configuration as it is shown. */
export function maskedConfig(config: Config): Record<string, string> {
  const hidden = new Set(secretKeys(config));
  const masked = Object.entries(plainConfig(config)).map(([key, value]) => [
    key,
    hidden.has(key) ? "[secret]" : value,
  ]);
  return Object.fromEntries(masked);
}
