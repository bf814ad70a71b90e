// Tries every fault at every request, and writes docs/reliability.md and docs/reliability-table.md: what came out, beside what
// is promised. Says how long it took.
//   npm run faults              runs all of it, and writes the pages
//   npm run faults -- --check   runs all of it, and fails where a page says something else
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { reliabilityPage, reliabilityTable } from "./faults/page.mjs";

const DOCS = join(resolve(import.meta.dirname, ".."), "docs");
const started = Date.now();
const folder = mkdtempSync(join(tmpdir(), "quarterdeck-faults-"));
const handed = join(folder, "counts.jsonl");
// The page is of one seed, so that it is the same wherever it is made.
const { status } = spawnSync("jest", ["-w", "1", "tests/faults/faults.test.ts"], {
  stdio: "inherit",
  env: {
    ...process.env,
    QUARTERDECK_LAWS: "all",
    QUARTERDECK_SEED: "1",
    QUARTERDECK_FAULTS: handed,
    // The pages are of the specification's dialect.
    QUARTERDECK_TEST_DIALECT: process.env.QUARTERDECK_TEST_DIALECT ?? "neutral",
  },
});
if (status === 0) {
  const rows = readFileSync(handed, "utf8").trim().split("\n");
  const counts = rows.map((line) => JSON.parse(line));
  const pages = {
    "reliability.md": reliabilityPage(counts),
    "reliability-table.md": reliabilityTable(counts),
  };
  for (const [name, page] of Object.entries(pages)) {
    const path = join(DOCS, name);
    if (!process.argv.includes("--check")) writeFileSync(path, page);
    else if (!existsSync(path) || readFileSync(path, "utf8") !== page) {
      console.error(`docs/${name} says something else than what came out: npm run faults`);
      process.exitCode = 1;
    }
  }
} else process.exitCode = 1;
console.log(`faults: ${Math.ceil((Date.now() - started) / 60_000)} minutes`);
rmSync(folder, { recursive: true });
