import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { transformFileSync } from "@swc/core";

const ROOT = resolve(__dirname, "../../../..");

/**
 * Compiles the current sources of the engine, and returns the path of its executable. The executable is in a folder
 * where Node.js finds its packages. `remove` deletes that folder.
 */
export function compileWrapper(): { readonly bin: string; remove(): void } {
  const cache = join(ROOT, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "engine-"));
  const sources = join(ROOT, "testing", "engine");
  for (const entry of readdirSync(sources, { withFileTypes: true, recursive: true })) {
    if (!entry.name.endsWith(".ts")) continue;
    const source = join(entry.parentPath, entry.name);
    const target = join(folder, relative(sources, source).replace(/\.ts$/, ".js"));
    const { code } = transformFileSync(source, {
      swcrc: false,
      jsc: { target: "es2024", parser: { syntax: "typescript" } },
      module: { type: "commonjs" },
    });
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code);
  }
  return { bin: join(folder, "bin.js"), remove: () => rmSync(folder, { recursive: true, force: true }) };
}
