/** @type {import("jest").Config} */
module.exports = {
  roots: ["<rootDir>/tests", "<rootDir>/testing/tests"],
  testMatch: ["**/*.test.ts"],
  transform: {
    "^.+\\.ts$": [
      "@swc/jest",
      {
        jsc: { target: "es2024", parser: { syntax: "typescript" } },
        module: { type: "commonjs" },
        sourceMaps: "inline",
      },
    ],
  },
  // The SDK finds the provider by the package's name: in tests, its source.
  moduleNameMapper: { "^pulumi-quarterdeck/provider$": "<rootDir>/provider/index.ts" },
  setupFiles: ["<rootDir>/tests/seed.cjs"],
  testEnvironment: "<rootDir>/tests/environment.cjs",
  maxWorkers: 2,
  testTimeout: 30_000,
};
