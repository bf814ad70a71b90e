import { createHash } from "node:crypto";

/** The public-key algorithms that the registry accepts: RSA (1 to 3) and DSA (17). */
const ACCEPTED = [1, 2, 3, 17];

/**
 * The ID of an armored public key of version 4: the last 8 bytes of its fingerprint in upper case (RFC 4880, section 12.2).
 * Undefined if the text contains no such key.
 */
export function keyIdOf(armor: string): string | undefined {
  const packet = firstPacket(bytesIn(armor));
  if (packet === undefined || packet[0] !== 4 || !ACCEPTED.includes(packet[5] ?? 0)) return undefined;
  const head = Buffer.from([0x99, packet.length >> 8, packet.length & 0xff]);
  return createHash("sha1").update(head).update(packet).digest("hex").slice(-16).toUpperCase();
}

/** The content of an armored block, without its headers and its checksum. */
function bytesIn(armor: string): Buffer {
  const lines = armor.split("\n").map((line) => line.trim());
  const begin = lines.indexOf("-----BEGIN PGP PUBLIC KEY BLOCK-----");
  const end = lines.indexOf("-----END PGP PUBLIC KEY BLOCK-----");
  const body = begin === -1 ? [] : lines.slice(begin + 1, Math.max(end, begin + 1));
  const content = body.slice(body.indexOf("") + 1).filter((line) => !line.startsWith("="));
  return Buffer.from(content.join(""), "base64");
}

/** The body of the first packet if it is a public key (tag 6). */
function firstPacket(bytes: Buffer): Buffer | undefined {
  const [header = 0, first = 0] = bytes;
  const isNew = (header & 0xc0) === 0xc0;
  const tag = isNew ? header & 0x3f : (header & 0x3c) >> 2;
  if ((header & 0x80) === 0 || tag !== 6) return undefined;
  const [start, length] = isNew ? newLength(bytes, first) : oldLength(bytes, header & 3);
  return length === 0 || start + length > bytes.length ? undefined : bytes.subarray(start, start + length);
}

function newLength(bytes: Buffer, first: number): readonly [start: number, length: number] {
  if (first < 192) return [2, first];
  if (first < 224) return [3, ((first - 192) << 8) + (bytes[2] ?? 0) + 192];
  return [6, bytes.length < 6 ? 0 : bytes.readUInt32BE(2)];
}

function oldLength(bytes: Buffer, type: number): readonly [start: number, length: number] {
  const size = [1, 2, 4][type];
  return size === undefined || bytes.length < 1 + size ? [0, 0] : [1 + size, bytes.readUIntBE(1, size)];
}
