import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync, writeSync } from "node:fs";
import { isAbsolute, join, relative, sep } from "node:path";
import { getSystemErrorMap, types } from "node:util";

/** The process that ends, and the next step for its user. */
export interface Crashing {
  /** Its name in messages: "the provider plugin". */
  readonly name: string;
  /** A sentence about the outcome of its unfinished work. */
  readonly known: string;
  /** A sentence about the command to run next. */
  readonly next: string;
}

/**
 * Ends this process on an uncaught error, with a message that cannot contain a secret. Node would print everything in such
 * an error: its message, the JSON line that could not be parsed, the failed request with its headers and body. For our own
 * processes only. It removes existing listeners, because those of the starting code (`run-plugin` of Pulumi's SDK) would
 * print such text too.
 */
export function crashInSafeWords(crashing: Crashing): void {
  keepMemoryOutOfFiles();
  const end = (thrown: unknown) => {
    try {
      writeSync(process.stderr.fd, crashText(crashing, thrown));
    } catch {
      // Nobody reads stderr.
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
 * Keeps secrets out of the files that Node and the operating system write when a process is killed. Removes the environment
 * from Node's reports, and on Linux the memory from core dumps.
 */
export function keepMemoryOutOfFiles(): void {
  // The host calls this for each resource type; once per process is enough.
  if (isKeptOut) return;
  isKeptOut = true;
  process.report.excludeEnv = true;
  if (process.platform !== "linux") return;
  try {
    // A program that receives core dumps ignores the size limit. With this filter it gets no memory.
    writeFileSync("/proc/self/coredump_filter", "0");
    const limits = readFileSync("/proc/self/limits", "utf8");
    // A core dump still contains the registers, which copied strings pass through. So no core dump may be written.
    if (!/^Max core file size +0 /m.test(limits)) spawnSync("prlimit", NO_CORE, { stdio: "ignore" });
  } catch {
    // The kernel does not have these files, or does not allow access.
  }
}

/** Node has no API for a process's own limits. The hard limit stays, because the parent process decides on it. */
const NO_CORE = ["--pid", String(process.pid), "--core=0:"];

/** The message for an uncaught error: its kind and its source locations, but not its own text. */
export function crashText({ name, known, next }: Crashing, thrown: unknown): string {
  const places = placesOf(thrown).map((place) => `    at ${place}`);
  return `${[
    `quarterdeck: ${name} stopped because of an unexpected error.`,
    `  Known outcome: ${known}`,
    `  Next step: ${next}`,
    "  Please report it with these lines: https://github.com/quarterdeck-iac/pulumi-quarterdeck/issues. The error's message is omitted, because it may contain a secret.",
    `  ${kindsOf(thrown).join(", caused by ")}`,
    ...places,
  ].join("\n")}\n`;
}

/** The maximum length of a chain of causes in the message. */
const MOST_CAUSES = 4;

/** The classes and codes of the thrown error and of its causes. */
function kindsOf(thrown: unknown): string[] {
  const kinds: string[] = [];
  for (let one = thrown; kinds.length < MOST_CAUSES; one = one.cause) {
    if (!types.isNativeError(one)) return kinds.length === 0 ? [`not an Error object: ${typeof one}`] : kinds;
    kinds.push([classOf(one), codeOf(one)].filter((word) => word !== undefined).join(" "));
  }
  return kinds;
}

/** The class name from the source, which no value can set. */
function classOf(error: Error): string {
  const made: unknown = Object.getPrototypeOf(error)?.constructor;
  const name: unknown = typeof made === "function" ? made.name : undefined;
  return typeof name === "string" && /^[A-Za-z_$][\w$]{0,60}$/.test(name) ? name : "Error";
}

const SYSTEM_CODES: ReadonlySet<string> = new Set([...getSystemErrorMap().values()].map(([code]) => code));

/** A code of the operating system, of Node or of undici. An error may have any other text in that member. */
function codeOf(error: Error): string | undefined {
  const code: unknown = Object.getOwnPropertyDescriptor(error, "code")?.value;
  if (typeof code !== "string") return undefined;
  return SYSTEM_CODES.has(code) || /^(UND_)?ERR_[A-Z_]{1,60}$/.test(code) ? code : undefined;
}

/** The source locations of the error. Lists loaded files only, so that text of an error cannot pass for a file. */
function placesOf(thrown: unknown): string[] {
  if (!types.isNativeError(thrown)) return [];
  const stack: unknown = thrown.stack;
  if (typeof stack !== "string") return [];
  return stack.split("\n").flatMap((line) => {
    const [, file = "", place] = /^\s+at (?:.*\()?([^()]+?)(:\d{1,7}:\d{1,7})\)?$/.exec(line) ?? [];
    return Object.hasOwn(require.cache, file) ? [`${relativePath(file)}${place}`] : [];
  });
}

const ROOT = join(__dirname, "../..");

/** The path of a loaded file, relative to its package. */
function relativePath(file: string): string {
  const inPackage = file.split(`node_modules${sep}`);
  if (inPackage.length > 1) return inPackage.at(-1) ?? file;
  const inOurs = relative(ROOT, file);
  return inOurs.startsWith("..") || isAbsolute(inOurs) ? file : inOurs;
}
