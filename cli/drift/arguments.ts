import { existsSync } from "node:fs";
import { InvalidArgumentError, Option } from "commander";
import { fileText } from "../file";
import { Refusal } from "../refusal";
import {
  baselineIn,
  type IgnoreRule,
  ignoreRule,
  ignoreRules,
  UnreadableChoice,
  withBaseline,
  withIgnored,
} from "./choice";
import type { DriftReport } from "./report";

/** Selects the resources to check and the differences to ignore. */
export interface ChoiceOptions {
  readonly only?: readonly string[];
  readonly ignore?: readonly IgnoreRule[];
  readonly ignoreFile?: string;
  readonly baseline?: string;
}

/** The default ignore file, in the working directory. */
const IGNORE_FILE = ".quarterdeckignore";

/** `--only`, `--ignore`, `--ignore-file` and `--baseline`. */
export const choiceOptions = (): readonly Option[] => [
  new Option("--only <pattern...>", "only resources of this type, name, id or URN; * is any text"),
  new Option(
    "--ignore <type:field>",
    "what moves there is no drift, as scheduler:Job:spec.priority; may be repeated",
  ).argParser(withRule),
  new Option("--ignore-file <file>", `such rules, one a line; without it ${IGNORE_FILE} where it is there`),
  new Option("--baseline <file>", "an earlier report of --json: what it shows is known, and no drift"),
];

function withRule(text: string, earlier: readonly IgnoreRule[] = []): readonly IgnoreRule[] {
  try {
    return [...earlier, ignoreRule(text)];
  } catch (error) {
    if (error instanceof UnreadableChoice) throw new InvalidArgumentError(error.message);
    throw error;
  }
}

/**
 * Returns a function that marks the ignored differences of a report.
 * @throws Refusal if a file cannot be read; this happens before any resource is checked
 */
export function choiceOf({
  ignore = [],
  ignoreFile,
  baseline,
}: ChoiceOptions): (report: DriftReport) => DriftReport {
  const file = ignoreFile ?? (existsSync(IGNORE_FILE) ? IGNORE_FILE : undefined);
  const rules = [...ignore, ...(file === undefined ? [] : read(file, ignoreRules))];
  const known = baseline === undefined ? undefined : read(baseline, baselineIn);
  return (report) => {
    const told = withIgnored(report, rules);
    return known === undefined ? told : withBaseline(told, known);
  };
}

function read<T>(file: string, meaning: (text: string) => T): T {
  const text = fileText(file);
  try {
    return meaning(text);
  } catch (error) {
    if (error instanceof UnreadableChoice) throw new Refusal(`${file}: ${error.message}`);
    throw error;
  }
}
