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
  new Option("--only <pattern...>", "Only resources with this type, name, ID or URN; * matches any text"),
  new Option(
    "--ignore <type:field>",
    "Ignore this field, for example scheduler:Job:spec.priority (repeatable)",
  ).argParser(withRule),
  new Option(
    "--ignore-file <file>",
    `Read ignore rules, one per line (default: ${IGNORE_FILE}, if it exists)`,
  ),
  new Option("--baseline <file>", "Ignore the drift in this earlier --json report"),
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
    const marked = withIgnored(report, rules);
    return known === undefined ? marked : withBaseline(marked, known);
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
