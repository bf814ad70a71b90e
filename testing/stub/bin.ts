#!/usr/bin/env node
import { parseArgs } from "node:util";
import { settingsOf, variableOf } from "./environment";
import { DEFAULT_PORTS, TEST_TOKENS } from "./seed";
import { SERVICE_NAMES, type ServiceName } from "./service";
import { INITIAL_SHARES } from "./services/secrets/rekey/records";
import { type Dialect, type Stub, startStub } from "./start";

type Ports = Record<ServiceName | "control", number>;

const NAMES: readonly (keyof Ports)[] = ["control", ...SERVICE_NAMES];

const USAGE = `Usage: quarterdeck-stub [options]

Start mock servers of HCP Terraform, Nomad, Vault and Consul on 127.0.0.1. Each has one test token; the organization is acme.

Options:
${NAMES.map((name) => `  --${`${name}-port <port>`.padEnd(26)}Port of ${name}, 0 for any free port (default: ${DEFAULT_PORTS[name]})`).join("\n")}
  --dialect <dialect>         real (the products' names) or neutral (default: real)
  --help                      Print this help
`;

interface Asked {
  readonly ports: Ports;
  readonly dialect: Dialect;
}

/** Parses the arguments; undefined if they ask for help. */
function parseArguments(args: string[]): Asked | undefined {
  const flags = Object.fromEntries(NAMES.map((name) => [`${name}-port`, { type: "string" as const }]));
  const { values } = parseArgs({
    args,
    options: { ...flags, dialect: { type: "string" }, help: { type: "boolean" } },
  });
  const given: Readonly<Record<string, unknown>> = values;
  if (given.help === true) return undefined;
  const ports = NAMES.flatMap((name) => {
    const text = given[`${name}-port`];
    return typeof text === "string" ? [[name, portOf(text, name)]] : [];
  });
  return { ports: { ...DEFAULT_PORTS, ...Object.fromEntries(ports) }, dialect: dialectOf(given.dialect) };
}

function dialectOf(given: unknown): Dialect {
  if (given === undefined || given === "real") return "real";
  if (given === "neutral") return given;
  throw new Error(`--dialect must be "real" or "neutral", not ${given}`);
}

function portOf(text: string, name: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535)
    throw new Error(`--${name}-port must be a port from 0 to 65535, not ${text}`);
  return port;
}

/** The addresses of the servers, and the configuration of a stack that uses them. */
function instructions(stub: Stub): string {
  const { addresses, control } = stub;
  const settings = settingsOf(stub);
  // The CLI takes the address of the service "secrets" for a secret unless the command has `--plaintext`.
  const flag = (setting: string) => (setting === "token" ? "--secret" : "--plaintext");
  return [
    ...SERVICE_NAMES.map((name) => `${name.padEnd(12)}${addresses[name]}   token ${TEST_TOKENS[name]}`),
    `${"control".padEnd(12)}${control}`,
    "",
    "To configure a stack:",
    ...settings.map(
      ({ service, name, value }) =>
        `  pulumi config set --path ${flag(name)} 'quarterdeck:${service}.${name}' ${value}`,
    ),
    "",
    "Or set environment variables:",
    ...settings.map(({ service, name, value }) => `  export ${variableOf(service, name)}=${value}`),
    "",
    "Recovery key shares (two are required):",
    ...INITIAL_SHARES.map((share) => `  ${share}`),
    "",
    "All data is in memory. Press Ctrl+C to stop.",
    "",
  ].join("\n");
}

/** Serves until it is interrupted. */
async function main(): Promise<void> {
  let asked: Asked | undefined;
  try {
    asked = parseArguments(process.argv.slice(2));
  } catch (error) {
    return fail(`${messageOf(error)}\n\n${USAGE}`, 2);
  }
  if (asked === undefined) {
    process.stdout.write(USAGE);
    return;
  }
  try {
    const stub = await startStub(asked);
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
