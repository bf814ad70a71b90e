import { gzipSync } from "node:zlib";

const BLOCK = 512;

/** A compressed tar archive that contains only this `main.tf`: a configuration of Terraform. */
export function archiveOf(text: string): Buffer {
  const content = Buffer.from(text);
  const padding = Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK);
  // Two empty blocks end an archive.
  return gzipSync(
    Buffer.concat([headerOf("main.tf", content.length), content, padding, Buffer.alloc(2 * BLOCK)]),
  );
}

/** The header of a regular file that everyone may read (POSIX ustar). */
function headerOf(name: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, "0")}\0`;
  header.write(name, 0);
  header.write(octal(0o644, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(size, 11), 124);
  header.write(octal(0, 11), 136);
  // The checksum counts itself as blanks.
  header.write("        ", 148);
  header.write("0", 156);
  header.write("ustar\x0000", 257);
  header.write(
    octal(
      header.reduce((sum, byte) => sum + byte, 0),
      6,
    ),
    148,
  );
  return header;
}
