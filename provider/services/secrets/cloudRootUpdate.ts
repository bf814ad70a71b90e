import { ActionableError, type Body, editProgram, type UpdateInput } from "../../core";

/**
 * The complete body of an update, for a server that replaces the root credentials. It repeats the values that the server
 * returned, and adds the access key and its secret from the program. A server that returns `disable_automated_rotation`
 * (Vault 1.19 or later) keeps omitted values, so the body stays unchanged.
 * @throws Error if the program does not have the secret of the server's key: the update would delete the key
 */
export function withWholeRoot(body: Body, { inputs, current = {} }: UpdateInput): Body {
  if (Object.keys(body).length === 0 || current.disable_automated_rotation !== undefined) return body;
  const { access_key: key, ...shown } = current;
  const kept = Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== null));
  const whole = { ...kept, ...body };
  if (body.access_key !== undefined || typeof key !== "string" || key === "") return whole;
  const { accessKey, secretKey = "" } = inputs;
  if (key !== accessKey || secretKey === "") throw secretIsUnknown(key);
  return { ...whole, access_key: key, secret_key: secretKey };
}

function secretIsUnknown(key: string): ActionableError {
  return new ActionableError(
    `the update needs accessKey and secretKey; nothing was written. This server replaces the complete root configuration, and the program does not have the secret of the server's access key ${key}. The key was rotated, set by someone else, or imported.`,
    [
      editProgram("set accessKey and its secretKey"),
      editProgram("use Vault 1.19 or later, which keeps values that an update omits"),
    ],
    { outcome: "notApplied" },
  );
}
