// Serves the stub's four control planes and its control on loopback, until it is interrupted.
import { parseArgs } from "node:util";
import { DEFAULT_PORTS, startStub, TEST_TOKENS } from "../dist/testing/stub/index.js";
import { INITIAL_SHARES } from "../dist/testing/stub/services/secrets/rekey/records.js";

const flags = Object.keys(DEFAULT_PORTS).map((name) => `${name}-port`);
const usage = `Usage: npm run stub -- [options]

Serves the four control planes on 127.0.0.1, with one test token each and the organization acme.

${Object.entries(DEFAULT_PORTS)
  .map(([name, port]) => `  --${`${name}-port`.padEnd(20)}${port} where it is not given; 0 is any free port`)
  .join("\n")}
  --help
`;

function options() {
  try {
    const described = Object.fromEntries(flags.map((flag) => [flag, { type: "string" }]));
    const { values } = parseArgs({ options: { ...described, help: { type: "boolean" } } });
    if (values.help) {
      process.stdout.write(usage);
      process.exit(0);
    }
    return Object.fromEntries(
      Object.entries(DEFAULT_PORTS).map(([name, port]) => [
        name,
        portOf(values[`${name}-port`], name) ?? port,
      ]),
    );
  } catch (error) {
    process.stderr.write(`stub: ${error.message}\n\n${usage}`);
    process.exit(2);
  }
}

function portOf(text, name) {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new Error(`--${name}-port is no port: ${text}`);
  return port;
}

function instructions({ addresses, control }) {
  const services = Object.keys(addresses);
  const settings = services.flatMap((name) => [
    [name, "address", addresses[name]],
    [name, "token", TEST_TOKENS[name]],
    ...(name === "workspaces" ? [[name, "organization", "acme"]] : []),
  ]);
  const secret = (setting) => (setting === "token" ? "--secret " : "");
  return [
    ...services.map((name) => `${name.padEnd(12)}${addresses[name]}   token ${TEST_TOKENS[name]}`),
    `${"control".padEnd(12)}${control}`,
    "",
    "As a stack's configuration:",
    ...settings.map(
      ([name, setting, value]) =>
        `  pulumi config set --path ${secret(setting)}'quarterdeck:${name}.${setting}' ${value}`,
    ),
    "",
    "Or as environment variables:",
    ...settings.map(
      ([name, setting, value]) =>
        `  export QUARTERDECK_${name.toUpperCase()}_${setting.toUpperCase()}=${value}`,
    ),
    "",
    "The recovery key takes two of these shares:",
    ...INITIAL_SHARES.map((share) => `  ${share}`),
    "",
    "Everything is in memory. Ctrl+C ends it.",
    "",
  ].join("\n");
}

const ports = options();

try {
  const stub = await startStub({ ports });
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void stub.stop());
  process.stdout.write(instructions(stub));
} catch (error) {
  process.stderr.write(`stub: ${error.message}\n`);
  process.exit(1);
}
