// Runs the property tests of tests/steps and this folder's tests on a real server: `npm run verify -- real` selects
// the server and the files. A real service replaces each stub, so that the same worlds, subjects and stories run on
// it.
const base = require("../../jest.config.cjs");

const { QUARTERDECK_REAL } = process.env;

/** @type {import("jest").Config} */
module.exports = {
  ...base,
  rootDir: "../..",
  moduleNameMapper: {
    ...base.moduleNameMapper,
    "/testing/stub/services/(workspaces|scheduler|secrets|mesh)/service$":
      "<rootDir>/tests/real/services/$1.ts",
    "^\\./(subjects|oneTimeActions|procedures|numRuns)$": "<rootDir>/tests/real/$1.ts",
  },
  setupFiles: ["<rootDir>/tests/real/seed.cjs"],
  setupFilesAfterEnv: ["<rootDir>/tests/real/known.ts", "<rootDir>/tests/real/emptyTables.ts"],
  ...(QUARTERDECK_REAL && {
    globalSetup: "<rootDir>/tests/real/start.ts",
    globalTeardown: "<rootDir>/tests/real/stop.ts",
  }),
  // All tests use the same server.
  maxWorkers: 1,
  testTimeout: 300_000,
};
