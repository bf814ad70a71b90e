// The tests that judge mutants: everything that runs in this process, without engines, commands and real servers.
const base = require("../../jest.config.cjs");

module.exports = {
  ...base,
  rootDir: "../..",
  // Stryker wraps the environment, and does not know <rootDir>.
  testEnvironment: require.resolve("../../tests/environment.cjs"),
  testMatch: ["<rootDir>/tests/{core,services,steps,drift}/**/*.test.ts"],
};
