import { InvalidArgumentError, Option } from "commander";
import type { DiscoverOptions } from "../discover/discover";
import { visible } from "../drift/visible";
import { catalog } from "../provider/catalog";
import { serviceOf } from "../stacks/deployment";
import { type StackOptions, stackOptions, stateOf } from "./stack";

/** Which of what exists a command is about. */
export interface DiscoverChoice extends StackOptions {
  readonly type?: readonly string[];
  readonly service?: readonly string[];
  readonly search?: string;
}

/** `--type`, `--service`, `--search`, `--stack` and `--state`. */
export function discoverOptions(): readonly Option[] {
  const types = Object.keys(catalog);
  const services = [...new Set(types.map(serviceOf))];
  return [
    new Option("-t, --type <type>", "only of this type, scheduler:Job; may be repeated").argParser(
      oneOf(types),
    ),
    new Option(
      "--service <service>",
      `only of this service: ${services.join(", ")}; may be repeated`,
    ).argParser(oneOf(services)),
    new Option("--search <text>", "only what has this in its id or name"),
    ...stackOptions("without it and --state, no state is looked at"),
  ];
}

const oneOf =
  (allowed: readonly string[]) =>
  (value: string, before: readonly string[] = []): readonly string[] => {
    if (!allowed.includes(value)) throw new InvalidArgumentError(`Known are ${allowed.join(", ")}.`);
    return [...before, value];
  };

/** What a person asks for; the stack's state and configuration are asked of the Pulumi CLI. */
export async function discovered(choice: DiscoverChoice): Promise<DiscoverOptions> {
  const { type: types, service: services, search, stack, state } = choice;
  const looked = stack !== undefined || state !== undefined ? await stateOf(choice) : {};
  return {
    ...looked,
    env: process.env,
    types,
    services,
    search,
    warn: (text) => console.error(`quarterdeck: ${visible(text)}`),
  };
}
