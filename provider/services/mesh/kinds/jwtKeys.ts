import { block, choice, duration, flag, integer, requiredText, text } from "./members";

/** Keys that do not come from a server. */
export const localKeys = block(
  {
    jwks: text("JSON Web Key Set (JWKS), base64-encoded.", "JWKS"),
    filename: text("Path of the JWKS on the disk of each proxy that uses the provider."),
  },
  "Keys that do not come from a server; exactly one of `jwks` and `filename`.",
);

const certificates = block(
  {
    caCertificateProviderInstance: block(
      {
        instanceName: text("Name of Envoy's certificate provider instance. Default: `default`."),
        certificateName: text("Name of the certificate in that instance, such as `ROOTCA`."),
      },
      "Certificate provider instance that has the CA certificates.",
    ),
    trustedCA: block(
      {
        filename: text("Path of the CA certificates on the proxy's disk."),
        environmentVariable: text("Environment variable of the proxy that contains the CA certificates."),
        inlineString: text("CA certificates (PEM)."),
        inlineBytes: text("CA certificates, base64-encoded."),
      },
      "CA certificates; exactly one of the four fields.",
    ),
  },
  "CA certificates that verify the server; exactly one of the two sources. If not set, proxies do not verify it.",
  "TLSCertificates",
);

/** The server that provides the keys. */
export const remoteKeys = block(
  {
    uri: requiredText("URI of the JWKS.", "URI"),
    requestTimeoutMs: integer("Timeout of a request for the JWKS, in milliseconds."),
    cacheDuration: duration("Time until cached keys expire."),
    fetchAsynchronously: flag("Fetch the JWKS at the first request of a client."),
    useSNI: flag("Send the hostname in the TLS handshake (SNI)."),
    retryPolicy: block(
      {
        numRetries: integer("Maximum number of retries."),
        retryPolicyBackOff: block(
          {
            baseInterval: duration("Initial interval between two retries. Default: 1 second."),
            maxInterval: duration("Maximum interval. Default: 10 times `baseInterval`."),
          },
          "Intervals between two retries.",
        ),
      },
      "Retries of a failed request. Default: no retries.",
    ),
    jwksCluster: block(
      {
        discoveryType: choice(
          {
            STRICT_DNS: "All addresses of the hostname.",
            STATIC: "Fixed addresses.",
            LOGICAL_DNS: "The first address of the hostname.",
            EDS: "Envoy's endpoint discovery service.",
            ORIGINAL_DST: "The connection's original destination.",
          },
          "Service discovery type of the server. Default: `STRICT_DNS`.",
        ),
        tlsCertificates: certificates,
        connectTimeout: duration("Timeout of a new connection. Default: 5 seconds."),
      },
      "Connection of the proxies to the server.",
      "JWKSCluster",
    ),
  },
  "Server that provides the keys.",
);
