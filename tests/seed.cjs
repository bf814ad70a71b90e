// Which values the laws try: the same on every run, so that a red test is a change's own; others by a number in
// QUARTERDECK_SEED. `npm run laws` tries fresh ones, round after round.
const { join } = require("node:path");
const fc = require("fast-check");

fc.configureGlobal({ seed: Number(process.env.QUARTERDECK_SEED ?? 1) });

// What tests start, above all the hosts of providers, reads its modules from Node's compile cache.
process.env.NODE_COMPILE_CACHE ??= join(__dirname, "../node_modules/.cache/node-compile");
