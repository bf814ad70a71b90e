import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Computed with N = 16,384, r = 8, p = 1 (docs/secrets-and-state.md). */
const FINGERPRINT = "quarterdeck:sealed:1:AAECAwQFBgcICQoLDA0ODw:Yx7BZhsRkGxSxcfpW53Ij9mZ6tHmEYdyWh0caXDP28U";

test("a fingerprint in a state of an earlier version still matches its secret, and no other text", () => {
  // The process of the tests computes fingerprints at a lower cost.
  const built = join(__dirname, "../../../dist/provider/core/value/fingerprint.js");
  const program = `const { matchesFingerprint } = require(${JSON.stringify(built)});
    console.log(["hush", "hush\\n", "hush!"].map((text) => matchesFingerprint(${JSON.stringify(FINGERPRINT)}, text)));`;
  expect(execFileSync(process.execPath, ["-e", program], { encoding: "utf8" })).toBe(
    "[ true, true, false ]\n",
  );
});
