// Which values the laws try: the same on every run, so that a red test is a change's own; others by a number in
// QUARTERDECK_SEED. `npm run soak -- laws` tries fresh ones, round after round.
const { join } = require("node:path");

// A product's variables on the machine that runs the tests must not reach them.
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

// What tests start, above all the hosts of providers, reads its modules from Node's compile cache.
process.env.NODE_COMPILE_CACHE ??= join(__dirname, "../node_modules/.cache/node-compile");

// The engine's processes and the tests load of Pulumi's SDK what they use; a CLI starts its own as it does for everybody.
const lazySdk = join(__dirname, "lazySdk.cjs");
const { LAZY, lazily } = require(lazySdk);
for (const name of LAZY) {
  const file = join(__dirname, "../node_modules", name);
  jest.mock(file, () => lazily(() => jest.requireActual(file)));
}
if (process.env.PULUMI_ENGINE !== "cli" && !process.env.NODE_OPTIONS?.includes("lazySdk"))
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ""} --require ${JSON.stringify(lazySdk)}`;
