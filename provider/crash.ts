import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync, writeSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { getSystemErrorMap, types } from "node:util";

/** The process that ends, and what whoever ran it does next. */
export interface Crashing {
  /** As it is told: "the provider plugin". */
  readonly name: string;
  /** What is known of what ran in it: a sentence. */
  readonly known: string;
  /** What to run next: a sentence. */
  readonly next: string;
}

/**
 * Has this process end on an error that nothing caught with words that can hold no secret. Node would print all that such an
 * error has: its text, the line of JSON that could not be read, the request that failed with its headers and its body.
 * For a process of our own: whoever started it and listens to the same (`run-plugin` of the engine's SDK) prints such
 * texts as well, and is not to.
 */
export function crashInSafeWords(crashing: Crashing): void {
  keepMemoryOutOfFiles();
  const end = (thrown: unknown) => {
    try {
      writeSync(process.stderr.fd, crashText(crashing, thrown));
    } catch {
      // Nobody reads it any more.
    }
    process.exit(1);
  };
  for (const event of ["uncaughtException", "unhandledRejection"] as const) {
    process.removeAllListeners(event);
    process.on(event, end);
  }
}

let isKeptOut = false;

/**
 * Keeps secrets out of what Node and the operating system write where a process is ended by force: the environment out of Node's
 * reports, and on Linux the memory out of core dumps.
 */
export function keepMemoryOutOfFiles(): void {
  // The host is asked for each type of resource, and a process keeps what it was told.
  if (isKeptOut) return;
  isKeptOut = true;
  process.report.excludeEnv = true;
  if (process.platform !== "linux") return;
  try {
    // A program that is handed each core, whatever the limit is, gets none of the memory.
    writeFileSync("/proc/self/coredump_filter", "0");
    const limits = readFileSync("/proc/self/limits", "utf8");
    // What is left is what the registers hold, which copied texts go through; so there is to be no core at all.
    if (!/^Max core file size +0 /m.test(limits)) spawnSync("prlimit", NO_CORE, { stdio: "ignore" });
  } catch {
    // A kernel without these, or one that does not let us.
  }
}

/** Node has no call for a process's own limits. The other limit stays: it is whoever started this that may have more. */
const NO_CORE = ["--pid", String(process.pid), "--core=0:"];

/** What a process says of an error that nothing caught: of what kind it was and where it came from, and none of its own words. */
export function crashText({ name, known, next }: Crashing, thrown: unknown): string {
  const places = placesOf(thrown).map((place) => `    at ${place}`);
  return `${[
    `quarterdeck: ${name} met an error that nothing in it had foreseen, and has ended.`,
    `  What is known: ${known}`,
    `  What to do: ${next}`,
    "  Please report it, with these lines: https://github.com/quarterdeck-iac/pulumi-quarterdeck/issues. The error's own words are left out, because they may quote a secret.",
    `  ${kindsOf(thrown).join(", caused by ")}`,
    ...places,
  ].join("\n")}\n`;
}

/** As many causes as are looked at, one behind the other. */
const MOST_CAUSES = 4;

/** What was thrown, and its causes, by their classes and codes. */
function kindsOf(thrown: unknown): string[] {
  const kinds: string[] = [];
  for (let one = thrown; kinds.length < MOST_CAUSES; one = one.cause) {
    if (!types.isNativeError(one))
      return kinds.length === 0 ? [`something that is no error: ${typeof one}`] : kinds;
    kinds.push([classOf(one), codeOf(one)].filter((word) => word !== undefined).join(" "));
  }
  return kinds;
}

/** The name in the source, which no value can choose. */
function classOf(error: Error): string {
  const made: unknown = Object.getPrototypeOf(error)?.constructor;
  const name: unknown = typeof made === "function" ? made.name : undefined;
  return typeof name === "string" && /^[A-Za-z_$][\w$]{0,60}$/.test(name) ? name : "Error";
}

const SYSTEM_CODES: ReadonlySet<string> = new Set([...getSystemErrorMap().values()].map(([code]) => code));

/** A code of the system's, of Node's or of undici's; nothing else that an error may carry under that name. */
function codeOf(error: Error): string | undefined {
  const code: unknown = Object.getOwnPropertyDescriptor(error, "code")?.value;
  if (typeof code !== "string") return undefined;
  return SYSTEM_CODES.has(code) || /^(UND_)?ERR_[A-Z_]{1,60}$/.test(code) ? code : undefined;
}

/** The files in which it was thrown: those that are loaded, so that no words of an error pass for one. */
function placesOf(thrown: unknown): string[] {
  if (!types.isNativeError(thrown)) return [];
  const stack: unknown = thrown.stack;
  if (typeof stack !== "string") return [];
  return stack.split("\n").flatMap((line) => {
    const [, file = "", place] = /^\s+at (?:.*\()?([^()]+?)(:\d{1,7}:\d{1,7})\)?$/.exec(line) ?? [];
    return Object.hasOwn(require.cache, file) ? [`${shown(file)}${place}`] : [];
  });
}

const ROOT = join(__dirname, "../..");

/** A loaded file as it is called in its package. */
function shown(file: string): string {
  const inPackage = file.split(`node_modules${sep}`);
  if (inPackage.length > 1) return inPackage.at(-1) ?? file;
  const inOurs = relative(ROOT, file);
  return inOurs.startsWith("..") || isAbsolute(inOurs) ? file : inOurs;
}
