// A real server is slow: each property test runs for a few seconds, at most a dozen times.
const fc = require("fast-check");

fc.configureGlobal({
  seed: Number(process.env.QUARTERDECK_SEED ?? 1),
  interruptAfterTimeLimit: 20_000,
  markInterruptAsFailure: false,
});
