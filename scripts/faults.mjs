// Tries every fault at every request, and writes docs/reliability.md: what came out, beside what is promised.
//   npm run faults              runs all of it, and writes the page
//   npm run faults -- --check   runs all of it, and fails where the page says something else
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { reliabilityPage } from "./faults/page.mjs";

const PAGE = join(resolve(import.meta.dirname, ".."), "docs/reliability.md");
const folder = mkdtempSync(join(tmpdir(), "quarterdeck-faults-"));
const handed = join(folder, "counts.jsonl");
// The page is of one seed, so that it is the same wherever it is made.
const { status } = spawnSync("jest", ["-w", "1", "tests/faults/faults.test.ts"], {
  stdio: "inherit",
  env: { ...process.env, QUARTERDECK_LAWS: "all", QUARTERDECK_SEED: "1", QUARTERDECK_FAULTS: handed },
});
if (status === 0) {
  const rows = readFileSync(handed, "utf8").trim().split("\n");
  const page = reliabilityPage(rows.map((line) => JSON.parse(line)));
  if (!process.argv.includes("--check")) writeFileSync(PAGE, page);
  else if (readFileSync(PAGE, "utf8") !== page) {
    console.error("docs/reliability.md says something else than what came out: npm run faults");
    process.exitCode = 1;
  }
} else process.exitCode = 1;
rmSync(folder, { recursive: true });
