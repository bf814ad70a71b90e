import type { Crypter } from "../../backend/passphrase";
import type { JsonMap } from "../../json";
import { Refusal } from "../../refusal";
import type { Workspace } from "../workspace/workspace";

/** The crypter for the secrets in the state of the command's stack. */
export async function crypterOf(workspace: Workspace): Promise<Crypter> {
  const provider = await workspace.checkpointSecrets(workspace.stack());
  if (provider === undefined) throw new Refusal("the stack's checkpoint names no secrets provider");
  return provider.crypter;
}

/** The JSON text of a decrypted secret. */
export function decrypt(secret: JsonMap, crypter: Crypter): string {
  const { ciphertext } = secret;
  return typeof ciphertext === "string" ? crypter.decrypt(ciphertext) : "null";
}
