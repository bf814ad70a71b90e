import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

/** A certificate and its key, as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** A temporary certificate authority that signs certificates for hosts and clients. */
export interface Authority {
  readonly cert: string;
  issue(name: string): Certificate;
}

/**
 * Creates a certificate authority. The X.509 encoding (RFC 5280) is implemented here, so that the tests need no external
 * program. A certificate is issued for a host name or an IPv4 address and is valid for one hour.
 */
export function authority(name = "throw-away authority"): Authority {
  const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const issue = (subject: string, publicKey: KeyObject, isAuthority: boolean) => {
    const body = unsigned({ issuer: name, subject, publicKey, isAuthority });
    const signature = sign("sha256", body, keys.privateKey);
    return pem("CERTIFICATE", sequence(body, ECDSA_WITH_SHA256, bits(signature)));
  };
  return {
    cert: issue(name, keys.publicKey, true),
    issue(subject) {
      const own = generateKeyPairSync("ec", { namedCurve: "P-256" });
      const key = own.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
      return { cert: issue(subject, own.publicKey, false), key };
    },
  };
}

function unsigned(of: {
  issuer: string;
  subject: string;
  publicKey: KeyObject;
  isAuthority: boolean;
}): Buffer {
  const hour = 3_600_000;
  return sequence(
    tagged(0xa0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    commonName(of.issuer),
    sequence(time(Date.now() - hour), time(Date.now() + hour)),
    commonName(of.subject),
    of.publicKey.export({ type: "spki", format: "der" }),
    tagged(
      0xa3,
      sequence(
        extension("551d13", sequence(...(of.isAuthority ? [tagged(0x01, Buffer.from([0xff]))] : []))),
        extension("551d11", sequence(alternativeName(of.subject))),
      ),
    ),
  );
}

function alternativeName(name: string): Buffer {
  const isIp = /^\d+(\.\d+){3}$/.test(name);
  return isIp ? tagged(0x87, Buffer.from(name.split(".").map(Number))) : tagged(0x82, Buffer.from(name));
}

function commonName(name: string): Buffer {
  return sequence(tagged(0x31, sequence(oid("550403"), tagged(0x0c, Buffer.from(name)))));
}

function extension(id: string, value: Buffer): Buffer {
  return sequence(oid(id), tagged(0x04, value));
}

function time(at: number): Buffer {
  const [date = "", clock = ""] = new Date(at).toISOString().slice(2, 19).split("T");
  return tagged(0x17, Buffer.from(`${date.replaceAll("-", "")}${clock.replaceAll(":", "")}Z`));
}

function tagged(tag: number, content: Buffer): Buffer {
  const length =
    content.length < 0x80 ? [content.length] : [0x82, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts));
}

function integer(bytes: Buffer): Buffer {
  return tagged(0x02, bytes);
}

function oid(hex: string): Buffer {
  return tagged(0x06, Buffer.from(hex, "hex"));
}

function bits(content: Buffer): Buffer {
  return tagged(0x03, Buffer.concat([Buffer.from([0]), content]));
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}

const ECDSA_WITH_SHA256 = sequence(oid("2a8648ce3d040302"));
