// Records which resource or function uses each endpoint of the specification, and which tests check the stub's endpoint. It
// runs the tests that send requests in process; the table in the reference is generated from the result.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const require = createRequire(import.meta.url);
const { root } = require("./generated.cjs");
const { SPECIFICATION } = require("../testing/dist/stub/specification.js");

/** The test of the result, and of all endpoints at once. */
const EVERY = "testing/tests/stub/endpoints.test.ts";
const folder = mkdtempSync(join(tmpdir(), "quarterdeck-endpoints-"));
const log = join(folder, "requests.tsv");
const { status } = spawnSync(
  "jest",
  ["testing/tests/stub", "tests/steps", "tests/services", "--testPathIgnorePatterns", EVERY],
  {
    stdio: "inherit",
    env: { ...process.env, PULUMI_ENGINE: "embedded", QUARTERDECK_ENDPOINTS: log },
  },
);
const lines = existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [];
rmSync(folder, { recursive: true });
if (status !== 0) process.exit(1);

const seen = lines.map((line) => line.split("\t"));
const rows = SPECIFICATION.map(({ service, method, path, section }) => {
  const own = seen.filter((one) => one[0] === service && one[1] === method && one[2] === path);
  const sorted = (values) => [...new Set(values)].filter((value) => value !== "").sort();
  return {
    service,
    method,
    path,
    section,
    users: sorted(own.map(([, , , by]) => (by.includes(":") ? by : ""))),
    // The test that all endpoints exist is left out, because it checks no single endpoint.
    tests: sorted(own.map(([, , , by, file]) => (by === "" && !file.endsWith(EVERY) ? file : ""))),
  };
});
const path = join(root, "docs/reference/endpoints.json");
writeFileSync(path, JSON.stringify(rows));
spawnSync("biome", ["check", "--write", path], { stdio: "inherit" });
console.log(
  `endpoints: ${rows.length}, of which ${rows.filter(({ users }) => users.length > 0).length} are used`,
);
