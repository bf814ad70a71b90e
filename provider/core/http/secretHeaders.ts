/** Whether a header's value is a secret by its name. */
export function isSecretHeader(name: string): boolean {
  return /auth|token|cookie|secret|password|passwd|credential|api-?key|session/i.test(name);
}

/** The secrets in a header's value: all of it, and what follows a scheme such as Bearer. */
export function headerSecrets(value: string): string[] {
  const credentials = /^[A-Za-z][\w-]*\s(.*)$/s.exec(value)?.[1]?.trim();
  return credentials === undefined || credentials === "" ? [value] : [value, credentials];
}
