// The tests that judge mutants: those that run in this process, and whose result does not depend on the time they take.
const base = require("../../jest.config.cjs");

module.exports = {
  ...base,
  rootDir: "../..",
  // Jest finds the tests of a changed file by the imports of the files in these folders.
  roots: ["cli", "packages", "provider", "sdk", "testing", "tests"].map((folder) => `<rootDir>/${folder}`),
  // Stryker wraps the environment, and does not know <rootDir>.
  testEnvironment: require.resolve("../../tests/environment.cjs"),
  testMatch: ["<rootDir>/tests/{core,services,steps,drift}/**/*.test.ts"],
  testPathIgnorePatterns: ["/tests/core/(bridge/plugin|http)/"],
  testTimeout: 300_000,
  testRunner: require.resolve("./jest-circus.cjs"),
};
