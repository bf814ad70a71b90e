import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { serverError } from "../errors";
import { always } from "../shape/field";
import { text } from "../shape/scalars";
import { CLUSTER, defineKind } from "./define";

const SHORTEST_KEY = 2048;
const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]+?-----END \1-----/;

/** A certificate with its key; reads return both. */
export const inlineCertificate = defineKind({
  kind: "inline-certificate",
  write: CLUSTER,
  read: CLUSTER,
  fields: { Certificate: always(text), PrivateKey: always(text) },
  validate({ Certificate = "", PrivateKey = "" }) {
    const key = keyOf(PrivateKey);
    const certificate = certificateOf(Certificate);
    if (!certificate.checkPrivateKey(key)) throw serverError("tls: private key does not match public key");
  },
});

/** Ignores any text around the first PEM block. */
function keyOf(pem: string): KeyObject {
  const [block, type] = BLOCK.exec(pem) ?? [];
  if (block === undefined) throw serverError("failed to parse private key PEM");
  const key = attempt(() => createPrivateKey(block));
  if (key === undefined) throw serverError("tls: failed to parse private key");
  const length = key.asymmetricKeyDetails?.modulusLength;
  if (type === "RSA PRIVATE KEY" && length !== undefined && length < SHORTEST_KEY) {
    throw serverError(`key length must be at least ${SHORTEST_KEY} bits`);
  }
  return key;
}

function certificateOf(pem: string): X509Certificate {
  const [block] = BLOCK.exec(pem) ?? [];
  if (block === undefined) throw serverError("failed to parse certificate PEM");
  const certificate = attempt(() => new X509Certificate(block));
  if (certificate === undefined)
    throw serverError("failed to parse certificate: x509: malformed certificate");
  return certificate;
}

function attempt<Value>(parse: () => Value): Value | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}
