#!/usr/bin/env node
import { parseArgs } from "node:util";
import { DEFAULT_PORTS, TEST_TOKENS } from "./seed";
import { SERVICE_NAMES, type ServiceName } from "./service";
import { INITIAL_SHARES } from "./services/secrets/rekey/records";
import { type Stub, startStub } from "./start";

type Ports = Record<ServiceName | "control", number>;

const NAMES: readonly (keyof Ports)[] = ["control", ...SERVICE_NAMES];

const USAGE = `Usage: quarterdeck-stub [options]

Serves the four control planes on 127.0.0.1, with one test token each and the organization acme.

${NAMES.map((name) => `  --${`${name}-port`.padEnd(20)}${DEFAULT_PORTS[name]} where it is not given; 0 is any free port`).join("\n")}
  --help
`;

/** The ports that were asked for; undefined where help was. */
function portsIn(args: string[]): Ports | undefined {
  const flags = Object.fromEntries(NAMES.map((name) => [`${name}-port`, { type: "string" as const }]));
  const { values } = parseArgs({ args, options: { ...flags, help: { type: "boolean" } } });
  const given: Readonly<Record<string, unknown>> = values;
  if (given.help === true) return undefined;
  const asked = NAMES.flatMap((name) => {
    const text = given[`${name}-port`];
    return typeof text === "string" ? [[name, portOf(text, name)]] : [];
  });
  return { ...DEFAULT_PORTS, ...Object.fromEntries(asked) };
}

function portOf(text: string, name: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new Error(`--${name}-port is no port: ${text}`);
  return port;
}

/** Where everything is, and how a stack is told of it. */
function instructions({ addresses, control }: Stub): string {
  const settings = SERVICE_NAMES.flatMap((name) => [
    { name, setting: "address", value: addresses[name] },
    { name, setting: "token", value: TEST_TOKENS[name] },
    ...(name === "workspaces" ? [{ name, setting: "organization", value: "acme" }] : []),
  ]);
  const secret = (setting: string) => (setting === "token" ? "--secret " : "");
  return [
    ...SERVICE_NAMES.map((name) => `${name.padEnd(12)}${addresses[name]}   token ${TEST_TOKENS[name]}`),
    `${"control".padEnd(12)}${control}`,
    "",
    "As a stack's configuration:",
    ...settings.map(
      ({ name, setting, value }) =>
        `  pulumi config set --path ${secret(setting)}'quarterdeck:${name}.${setting}' ${value}`,
    ),
    "",
    "Or as environment variables:",
    ...settings.map(
      ({ name, setting, value }) =>
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

/** Serves until it is interrupted. */
async function main(): Promise<void> {
  let ports: Ports | undefined;
  try {
    ports = portsIn(process.argv.slice(2));
  } catch (error) {
    return fail(`${messageOf(error)}\n\n${USAGE}`, 2);
  }
  if (ports === undefined) {
    process.stdout.write(USAGE);
    return;
  }
  try {
    const stub = await startStub({ ports });
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => void stub.stop());
    process.stdout.write(instructions(stub));
  } catch (error) {
    fail(`${messageOf(error)}\n`, 1);
  }
}

function fail(text: string, status: number): void {
  process.stderr.write(`quarterdeck-stub: ${text}`);
  process.exitCode = status;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

void main();
