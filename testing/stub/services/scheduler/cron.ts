import { Cron } from "croner";
import { ownOf } from "../../json";
import type { Job } from "./shape/job";

/** The next launch time of a periodic job; undefined if the job is not periodic or never launches again. */
export function nextLaunch({ Periodic: periodic }: Job, now: number): number | undefined {
  if (periodic?.Enabled !== true) return undefined;
  const specs = periodic.Spec === "" ? (periodic.Specs ?? []) : [periodic.Spec];
  const launches = specs.flatMap(
    (spec) => scheduleOf(spec, periodic.TimeZone)?.nextRun(new Date(now))?.getTime() ?? [],
  );
  return launches.length === 0 ? undefined : Math.min(...launches);
}

const NAMED: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/**
 * The schedule of a named or cron expression; undefined if it is invalid. Five fields are a classic cron expression; a sixth
 * is the year; with seven the first is the second. Further fields are ignored.
 */
export function scheduleOf(spec: string, timezone = "UTC"): Cron | undefined {
  const fields = (ownOf(NAMED, spec) ?? spec).trim().toUpperCase().split(/\s+/).slice(0, 7);
  if (fields.length < 5) return undefined;
  const [seconds, years] = [fields.length < 7 ? ["0"] : [], fields.length < 6 ? ["*"] : []];
  // The library reads `?` as the current time.
  const pattern = [...seconds, ...fields, ...years].join(" ").replaceAll("?", "*");
  try {
    return new Cron(pattern, { timezone, mode: "7-part", sloppyRanges: true });
  } catch {
    return undefined;
  }
}
