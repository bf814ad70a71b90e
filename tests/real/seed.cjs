// A real server takes its time: each law tries as many values as go into some seconds, a dozen at most.
const fc = require("fast-check");

fc.configureGlobal({
  seed: Number(process.env.QUARTERDECK_SEED ?? 1),
  interruptAfterTimeLimit: 20_000,
  markInterruptAsFailure: false,
});
