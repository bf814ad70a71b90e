// Prepares the process of each test file. Property tests use the same seed in every run, so that a failure comes from the change;
// QUARTERDECK_SEED sets another one. `npm run soak -- properties` uses new seeds.
const { join } = require("node:path");

// Environment variables of the products must not affect the tests.
for (const name of Object.keys(process.env)) {
  if (/^(?:NOMAD|VAULT|BAO|CONSUL|TFE)_/.test(name)) delete process.env[name];
}
const fc = require("fast-check");

fc.configureGlobal({ seed: Number(process.env.QUARTERDECK_SEED ?? 1) });

// Fingerprints of secrets are expensive to guess, and so to compute. In the process of the tests they are cheap; the processes of
// engines and commands that tests start compute them at full cost.
const crypto = require("node:crypto");
if (crypto.scryptSync.name !== "cheapScrypt") {
  const { scryptSync } = crypto;
  crypto.scryptSync = function cheapScrypt(secret, salt, length, cost) {
    return scryptSync(secret, salt, length, { ...cost, N: 2 });
  };
}

// Processes that tests start, such as provider hosts, use Node's compile cache.
process.env.NODE_COMPILE_CACHE ??= join(__dirname, "../node_modules/.cache/node-compile");

// The tests and the processes of the embedded engine load large modules of Pulumi's SDK only when they use them. With the real CLI,
// programs load the SDK as usual.
const lazySdk = join(__dirname, "lazySdk.cjs");
const { LAZY, lazily } = require(lazySdk);
for (const name of LAZY) {
  const file = join(__dirname, "../node_modules", name);
  jest.mock(file, () => lazily(() => jest.requireActual(file)));
}
if (process.env.PULUMI_ENGINE !== "cli" && !process.env.NODE_OPTIONS?.includes("lazySdk"))
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ""} --require ${JSON.stringify(lazySdk)}`;
