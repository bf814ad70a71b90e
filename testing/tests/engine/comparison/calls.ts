import { existsSync, readFileSync, rmSync } from "node:fs";

/** One call that the plugin of a case got, as it wrote it down. */
interface Call {
  readonly process: number;
  readonly method: string;
  /** The resource or the function; empty for what concerns the whole process. */
  readonly about: string;
  readonly said: unknown;
}

/** The calls of one command: of each process, and of each resource and function, in order. */
export interface Calls {
  readonly processes: readonly string[];
  readonly about: Readonly<Record<string, readonly unknown[]>>;
}

/** Reads what plugins wrote down since the last time; undefined where nothing was. */
export function takeCalls(file: string, short: (urn: string) => string): Calls | undefined {
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, "utf8").trim().split("\n");
  rmSync(file);
  const calls = lines.map((line) => JSON.parse(line) as Call);
  const processes = Map.groupBy(
    calls.filter(({ about }) => about === ""),
    ({ process }) => process,
  );
  const about: Record<string, unknown[]> = {};
  for (const { about: urn, method, said } of calls) {
    if (urn !== "") about[short(urn)] = [...(about[short(urn)] ?? []), [method, said]];
  }
  return {
    processes: [...processes.values()]
      .map((one) => one.map(({ method, said }) => `${method} ${JSON.stringify(said)}`).join("; "))
      .sort(),
    about,
  };
}
