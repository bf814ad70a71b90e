import { createPrivateKey, generateKeyPairSync } from "node:crypto";

/** A self-signed certificate for `web.example.com`, valid until 2126. */
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBjDCCATGgAwIBAgIUKihqfEdhQiSuywuDkh9KFYyK8iMwCgYIKoZIzj0EAwIw
GjEYMBYGA1UEAwwPd2ViLmV4YW1wbGUuY29tMCAXDTI2MTEyMTAzMjUwMVoYDzIx
MjYxMDI4MDMyNTAxWjAaMRgwFgYDVQQDDA93ZWIuZXhhbXBsZS5jb20wWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAARbxs5m1wIcKUF3nT4MoN8KprY2dTJRvtDOl4rM
g87frj4y9SFovnPg7Lr/pXKntOHXbmaI5YzEfvCmuc2zag6ao1MwUTAdBgNVHQ4E
FgQUFfovnltCVNTzDtwRWMRumCKWw7UwHwYDVR0jBBgwFoAUFfovnltCVNTzDtwR
WMRumCKWw7UwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEAweBA
oAMMfgXHE4MtT8aw1jKjHDBohPgZrICFHAFwPXACIQCz+j8PPvP5+jZ6WQYWaVPW
uXfpWeDLGLsEGyfUv0137w==
-----END CERTIFICATE-----
`;

/** The private key of the certificate; only tests use it. */
export const PRIVATE_KEY = createPrivateKey({
  format: "jwk",
  key: {
    kty: "EC",
    crv: "P-256",
    x: "W8bOZtcCHClBd50-DKDfCqa2NnUyUb7QzpeKzIPO364",
    y: "PjL1IWi-c-Dsuv-lcqe04dduZojljMR-8Ka5zbNqDpo",
    d: "7va8GJlFdvJcmjQ52UUvQQ4K89Exf79KDu2TQOM02sk",
  },
})
  .export({ format: "pem", type: "pkcs8" })
  .toString();

/** A private key that does not match the certificate. */
export function createUnrelatedKey(): string {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return privateKey.export({ format: "pem", type: "pkcs8" }).toString();
}

/** A 1024-bit RSA key, which is shorter than Consul accepts. */
export function createShortKey(): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 1024 });
  return privateKey.export({ format: "pem", type: "pkcs1" }).toString();
}
