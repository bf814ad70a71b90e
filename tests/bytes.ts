import { createHash } from "node:crypto";

let drawn = 0;

/** Bytes as if by chance, the same on every run of a test: others by another number in QUARTERDECK_SEED. */
export function randomBytes(count: number): Buffer {
  drawn++;
  const seed = `${process.env.QUARTERDECK_SEED ?? 1} ${drawn}`;
  return createHash("shake256", { outputLength: count }).update(seed).digest();
}
