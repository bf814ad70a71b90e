/** True if the name of a header marks its value as a secret. */
export function isSecretHeader(name: string): boolean {
  return /auth|token|cookie|secret|password|passwd|credential|api-?key|session/i.test(name);
}

/** The secrets in a header's value: the complete value, and the part after a scheme such as Bearer. */
export function headerSecrets(value: string): string[] {
  const credentials = /^[A-Za-z][\w-]*\s(.*)$/s.exec(value)?.[1]?.trim();
  return credentials === undefined || credentials === "" ? [value] : [value, credentials];
}
