import { existsSync, readFileSync, rmSync } from "node:fs";

/** One call to the plugin of a case, as the plugin recorded it. */
interface Call {
  readonly process: number;
  readonly method: string;
  /** The resource or the function; empty for a call that concerns the process. */
  readonly subject: string;
  readonly request: unknown;
}

/** The calls of one command, in order: by process, and by resource or function. */
export interface Calls {
  readonly processes: readonly string[];
  readonly byResource: Readonly<Record<string, readonly unknown[]>>;
}

/** Reads and removes the calls that plugins recorded, or returns undefined if there are none. */
export function takeCalls(file: string, short: (urn: string) => string): Calls | undefined {
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, "utf8").trim().split("\n");
  rmSync(file);
  const calls = lines.map((line) => JSON.parse(line) as Call);
  const processes = Map.groupBy(
    calls.filter(({ subject }) => subject === ""),
    ({ process }) => process,
  );
  const byResource: Record<string, unknown[]> = {};
  for (const { subject: urn, method, request } of calls) {
    if (urn !== "") byResource[short(urn)] = [...(byResource[short(urn)] ?? []), [method, request]];
  }
  return {
    processes: [...processes.values()]
      .map((one) => one.map(({ method, request }) => `${method} ${JSON.stringify(request)}`).join("; "))
      .sort(),
    byResource,
  };
}
