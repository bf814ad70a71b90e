import { serverError } from "../errors";
import type { EngineOperation } from "../operation";
import { generatePassword } from "../passwords";
import type { DirectoryConfig, DirectoryData } from "./records";

export type DirectoryOperation = EngineOperation<DirectoryData>;

/** The configuration; throws a 500 if the engine has none. */
export function theConfig({ data }: DirectoryOperation): DirectoryConfig {
  const config = data.config.get("config");
  if (config === undefined) throw serverError("the config is currently unset");
  return config;
}

/** A new password by the configured policy or length. */
export function newPassword(operation: DirectoryOperation): string {
  const { password_policy: policy, length } = theConfig(operation);
  return generatePassword(operation, String(policy ?? ""), Number(length) || 64);
}

/** True if the directory contains the account. */
export function isInDirectory({ world }: DirectoryOperation, account: string): boolean {
  return world.directoryAccounts === null || world.directoryAccounts.includes(account);
}
