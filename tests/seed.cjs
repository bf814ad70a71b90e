// Which values the laws try: the same on every run, so that a red test is a change's own; others by a number in
// QUARTERDECK_SEED. `npm run laws` tries fresh ones, round after round.
const fc = require("fast-check");

fc.configureGlobal({ seed: Number(process.env.QUARTERDECK_SEED ?? 1) });
