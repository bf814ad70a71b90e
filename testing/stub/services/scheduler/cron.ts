import { Cron } from "croner";
import { ownOf } from "../../json";
import type { Job } from "./shape/job";

/** When a periodic job would be launched next; undefined for one that is not, or never. */
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
 * A schedule: five fields; with six the last is the year, with seven the first is the second, and what follows counts for
 * nothing; or a named one. Undefined for what is none.
 */
export function scheduleOf(spec: string, timezone = "UTC"): Cron | undefined {
  const fields = (ownOf(NAMED, spec) ?? spec).trim().toUpperCase().split(/\s+/).slice(0, 7);
  if (fields.length < 5) return undefined;
  const [seconds, years] = [fields.length < 7 ? ["0"] : [], fields.length < 6 ? ["*"] : []];
  // To the library `?` is the time of now.
  const pattern = [...seconds, ...fields, ...years].join(" ").replaceAll("?", "*");
  try {
    return new Cron(pattern, { timezone, mode: "7-part", sloppyRanges: true });
  } catch {
    return undefined;
  }
}
