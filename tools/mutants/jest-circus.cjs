// Jest's own runner, for one mutant after another in the same process. It leaves out a file without a test that covers the mutant,
// and every file after the first failure: Jest itself would run all of them (`bail` has no effect when a program runs Jest).
// Stryker accepts a runner of this name only.
const { existsSync, readFileSync, writeFileSync } = require("node:fs");
const { createEmptyTestResult } = require("@jest/test-result");
const { default: circus } = require("jest-circus/runner");

/** The file in which the run without a mutant records the tests of each file. */
const file = process.env.QUARTERDECK_MUTANTS_TESTS;
const LEFT_OUT = { fullName: "", title: "", ancestorTitles: [], failureMessages: [], status: "pending" };
const recorded = new Map();
let failed;

module.exports = async (globalConfig, config, environment, runtime, testPath, ...more) => {
  const mutant = process.env.__STRYKER_ACTIVE_MUTANT__;
  if (mutant !== undefined && (failed === mutant || !covers(globalConfig.testNamePattern, testPath)))
    return {
      ...createEmptyTestResult(),
      testFilePath: testPath,
      numPendingTests: 1,
      testResults: [LEFT_OUT],
    };
  const result = await circus(globalConfig, config, environment, runtime, testPath, ...more);
  if (mutant === undefined) record(testPath, result);
  else if (result.numFailingTests > 0 || result.testExecError) failed = mutant;
  return result;
};

function record(testPath, { testResults }) {
  recorded.set(
    testPath,
    testResults.map(({ fullName }) => fullName),
  );
  writeFileSync(file, JSON.stringify([...recorded]));
}

function covers(pattern, testPath) {
  if (!pattern) return true;
  if (recorded.size === 0 && existsSync(file))
    for (const [path, names] of JSON.parse(readFileSync(file, "utf8"))) recorded.set(path, names);
  const expression = new RegExp(pattern, "i");
  return recorded.get(testPath)?.some((name) => expression.test(name)) ?? true;
}
