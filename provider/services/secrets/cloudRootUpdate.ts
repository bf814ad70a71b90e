import { AdvisedError, type Body, edited, type Updated } from "../../core";

/**
 * The body of an update that loses nothing on a server that replaces the root credentials: what the server shows goes back
 * as it was read, and the access key with its secret from the program. A server that shows `disable_automated_rotation`
 * (Vault 1.19 or later) keeps what is omitted, so that nothing more is sent to it.
 * @throws Error if the secret of the server's key is not in the program: the update would delete the key
 */
export function withWholeRoot(body: Body, { inputs, current = {} }: Updated): Body {
  if (Object.keys(body).length === 0 || current.disable_automated_rotation !== undefined) return body;
  const { access_key: key, ...shown } = current;
  const kept = Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== null));
  const whole = { ...kept, ...body };
  if (body.access_key !== undefined || typeof key !== "string" || key === "") return whole;
  const { accessKey, secretKey = "" } = inputs;
  if (key !== accessKey || secretKey === "") throw secretIsUnknown(key);
  return { ...whole, access_key: key, secret_key: secretKey };
}

function secretIsUnknown(key: string): AdvisedError {
  return new AdvisedError(
    `the update needs accessKey and secretKey: this server replaces the root credentials as a whole, and the program does not have the secret of the server's key ${key} (it was rotated, set by someone else, or imported); nothing was written.`,
    [
      edited("write an accessKey and its secretKey"),
      edited("use Vault 1.19 or later, which keeps what an update omits"),
    ],
  );
}
