import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Reads this package's package.json. */
export function ownPackage(): { readonly version: string; readonly engines: { readonly node: string } } {
  return JSON.parse(readFileSync(join(__dirname, "../../package.json"), "utf8"));
}
