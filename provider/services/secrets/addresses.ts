import { isIPv6 } from "node:net";
import type { Json, Spelling } from "../../core";

/**
 * IP addresses and CIDR blocks as Vault and OpenBao store them: a block with a single address as that address, IPv6 in its
 * shortest form, and an IPv4 address inside IPv6 as IPv4 (go-sockaddr).
 */
export const addresses: Spelling = {
  doc: "A block of one address equals that address, and so do all spellings of an IPv6 address.",
  canonical: (value) => (Array.isArray(value) ? value.map(storedBlock) : value),
};

function storedBlock(block: Json): Json {
  if (typeof block !== "string") return block;
  const [, ip = "", length] = /^([0-9a-f.:]+)(?:\/(\d+))?$/i.exec(block.trim()) ?? [];
  if (ip === "") return block;
  const bits = isIPv6(ip) ? 128 : 32;
  return inIPv4(bits === 128 ? shortest(ip) : ip, bits, Number(length ?? bits));
}

/** An IPv6 address in lower case, with its longest run of zeros left out. */
const shortest = (ip: string) => new URL(`http://[${ip}]`).hostname.slice(1, -1);

function inIPv4(ip: string, bits: number, length: number): string {
  const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(ip) ?? [];
  if (bits === 32 || high === undefined || low === undefined || length < 96) return inBlock(ip, bits, length);
  const bytes = [high, low].flatMap((part) => [
    Number.parseInt(part, 16) >> 8,
    Number.parseInt(part, 16) & 255,
  ]);
  return inBlock(bytes.join("."), 32, length - 96);
}

const inBlock = (ip: string, bits: number, length: number) => (length === bits ? ip : `${ip}/${length}`);
