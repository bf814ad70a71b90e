// Injects every fault at every request, and writes the outcomes in tables, next to the promises. It prints the duration.
//   npm run soak -- faults              runs everything in the dialect `neutral`: docs/reliability.md and docs/reliability-table.md
//   npm run soak -- faults --real    the same in the dialect `real`: docs/reliability-real.md
//   npm run soak -- faults --check   writes nothing, and fails if a page is stale (with or without --real)
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { reliabilityPage, reliabilityTable } from "./faults/page.mjs";

const { values } = parseArgs({
  options: { check: { type: "boolean", default: false }, real: { type: "boolean", default: false } },
});
const dialect = values.real ? "real" : "neutral";
const DOCS = join(resolve(import.meta.dirname, ".."), "docs");
const started = Date.now();
const folder = mkdtempSync(join(tmpdir(), "quarterdeck-faults-"));
const handed = join(folder, "counts.jsonl");
// The pages use a fixed seed, so that they are reproducible.
const { status } = spawnSync("jest", ["-w", "1", "tests/faults/faults.test.ts"], {
  stdio: "inherit",
  env: {
    ...process.env,
    QUARTERDECK_PROPERTIES: "all",
    QUARTERDECK_SEED: "1",
    QUARTERDECK_FAULTS: handed,
    QUARTERDECK_TEST_DIALECT: dialect,
  },
});
if (status === 0) {
  const rows = readFileSync(handed, "utf8").trim().split("\n");
  const counts = rows.map((line) => JSON.parse(line));
  const pages = values.real
    ? { "reliability-real.md": reliabilityTable(counts, dialect) }
    : {
        "reliability.md": reliabilityPage(counts),
        "reliability-table.md": reliabilityTable(counts, dialect),
      };
  for (const [name, page] of Object.entries(pages)) {
    const path = join(DOCS, name);
    if (!values.check) writeFileSync(path, page);
    else if (!existsSync(path) || readFileSync(path, "utf8") !== page) {
      console.error(
        `docs/${name} differs from the results of this run; to update the page: npm run soak -- faults${values.real ? " --real" : ""}`,
      );
      process.exitCode = 1;
    }
  }
} else process.exitCode = 1;
console.log(`faults: ${Math.ceil((Date.now() - started) / 60_000)} minutes`);
rmSync(folder, { recursive: true });
