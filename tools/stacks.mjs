// Runs the Automation API suite in the configurations that `npm test` does not use: with the plugin and, if a Pulumi CLI is
// installed, with the CLI on both bridges. It also runs completely what `npm test` covers in part.
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { jest, report } from "./jest.mjs";

const require = createRequire(import.meta.url);
const { pickEngine } = require("pulumi-quarterdeck-testing");

// `npm test` runs each definition's property tests in one dialect; here they run in the other one.
jest("embedded engine, other dialect", ["tests/steps"], {
  PULUMI_ENGINE: "embedded",
  QUARTERDECK_TEST_DIALECT: "other",
});
const byPlugin = { QUARTERDECK_BRIDGE: "plugin" };
const suites = ["tests/stack", "tests/examples"];
const whole = [
  "tests/examples",
  "tests/pipelines",
  "tests/command/import",
  "tests/install/templates",
  "tests/stack/staleCredentials",
];
jest("embedded engine, all ways", whole, { PULUMI_ENGINE: "embedded", QUARTERDECK_STACKS: "all" });
jest("embedded engine, by the plugin", suites, { PULUMI_ENGINE: "embedded", ...byPlugin });
const { PULUMI_ENGINE: _, ...others } = process.env;
const found = pickEngine(others, { print: (line) => console.log(line) });
if (found.kind === "cli") {
  const path =
    found.root === undefined ? process.env.PATH : join(found.root, "bin") + delimiter + process.env.PATH;
  const environment = { PULUMI_ENGINE: "cli", PATH: path };
  jest("Pulumi CLI", suites, environment);
  jest("Pulumi CLI, by the plugin", suites, { ...environment, ...byPlugin });
}
process.exit(report() ? 0 : 1);
