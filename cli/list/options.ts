import { InvalidArgumentError, Option } from "commander";
import { catalog } from "../../provider/catalog";
import { serviceOf } from "../state/deployment";
import { optionalStackOptions, optionalStateOf, type StackOptions } from "../state/stack";
import { visible } from "../visible";
import type { DiscoverOptions } from "./discover";

/** Selects the objects that a command lists or imports. */
export interface DiscoverChoice extends StackOptions {
  readonly type?: readonly string[];
  readonly service?: readonly string[];
  readonly search?: string;
}

/** `--type`, `--service`, `--search`, `--stack`, `--state` and `--no-stack`. */
export function discoverOptions(): readonly Option[] {
  const types = Object.keys(catalog);
  const services = [...new Set(types.map(serviceOf))];
  return [
    new Option("-t, --type <type>", "Only this type, for example scheduler:Job (repeatable)").argParser(
      oneOf(types),
    ),
    new Option("--service <service>", `Only this service: ${services.join(", ")} (repeatable)`).argParser(
      oneOf(services),
    ),
    new Option("--search <text>", "Only objects with this text in their ID or name"),
    ...optionalStackOptions(),
  ];
}

const oneOf =
  (allowed: readonly string[]) =>
  (value: string, before: readonly string[] = []): readonly string[] => {
    if (allowed.includes(value)) return [...before, value];
    const meant = allowed.filter((one) => one.toLowerCase().endsWith(`:${value.toLowerCase()}`));
    throw new InvalidArgumentError(
      meant.length > 0 ? `Did you mean ${meant.join(" or ")}?` : `Valid values: ${allowed.join(", ")}.`,
    );
  };

/** The options of a run. The Pulumi CLI reads the stack's state and configuration. */
export async function listOptions(choice: DiscoverChoice): Promise<DiscoverOptions> {
  const { type: types, service: services, search } = choice;
  const stack = await optionalStateOf(choice);
  return {
    ...stack,
    env: process.env,
    types,
    services,
    search,
    warn: (text) => console.error(`quarterdeck: ${visible(text)}`),
  };
}
