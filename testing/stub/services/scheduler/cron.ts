import type { Job } from "./shape/job";

const HOUR = 3_600_000;
const MINUTE = 60_000;
/** How far ahead a launch is looked for: a leap day comes every four years, but for some centuries. */
const FURTHEST_HOURS = 9 * 366 * 24;

/** When a periodic job would be launched next; undefined for one that is not, or never. */
export function nextLaunch({ Periodic: periodic }: Job, now: number): number | undefined {
  if (periodic?.Enabled !== true) return undefined;
  const specs = periodic.Spec === "" ? (periodic.Specs ?? []) : [periodic.Spec];
  const launches = specs.flatMap((spec) => nextOf(spec, periodic.TimeZone, now) ?? []);
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

/** The next time after now; to the minute, though six and seven fields may say seconds and years. */
function nextOf(spec: string, timeZone: string, now: number): number | undefined {
  const fields = (NAMED[spec] ?? spec).trim().split(/\s+/);
  const [minutes = "*", hours = "*", days = "*", months = "*", weekdays = "*"] =
    fields.length === 7 ? fields.slice(1) : fields;
  const clock = clockIn(timeZone);
  for (let hour = Math.floor(now / HOUR); hour < now / HOUR + FURTHEST_HOURS; hour++) {
    const { month, day, weekday, hour: at, minute } = clock(hour * HOUR);
    if (!fits(months, month, MONTHS) || !fits(hours, at) || !isOn({ days, weekdays }, day, weekday)) continue;
    for (let passed = 0; passed < 60; passed++) {
      const time = hour * HOUR + passed * MINUTE;
      if (time > now && fits(minutes, (minute + passed) % 60)) return time;
    }
  }
  return undefined;
}

/** Where both are restricted, either is enough. */
function isOn({ days, weekdays }: { days: string; weekdays: string }, day: number, weekday: number): boolean {
  const [fitsDay, fitsWeekday] = [
    fits(days, day),
    fits(weekdays, weekday, WEEKDAYS) || fits(weekdays, weekday + 7),
  ];
  return isAny(days) || isAny(weekdays) ? fitsDay && fitsWeekday : fitsDay || fitsWeekday;
}

const isAny = (field: string) => field === "*" || field === "?";

const MONTHS = ["", "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const WEEKDAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];

function fits(field: string, value: number, names: readonly string[] = []): boolean {
  return field.split(",").some((part) => {
    const [range = "*", step = "1"] = part.split("/");
    const [from, to] = isAny(range) ? ["0", ""] : range.split("-");
    const first = numberIn(from ?? "", names);
    const last =
      to === undefined ? (part.includes("/") ? Infinity : first) : to === "" ? Infinity : numberIn(to, names);
    return value >= first && value <= last && (value - first) % Number(step) === 0;
  });
}

function numberIn(text: string, names: readonly string[]): number {
  const named = names.indexOf(text.toUpperCase());
  return named < 0 ? Number(text) : named;
}

/** What the clock of a time zone shows. */
function clockIn(timeZone: string) {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    weekday: "short",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  return (time: number) => {
    const shown = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
    return {
      month: Number(shown.month),
      day: Number(shown.day),
      hour: Number(shown.hour),
      minute: Number(shown.minute),
      weekday: WEEKDAYS.indexOf((shown.weekday ?? "").toUpperCase()),
    };
  };
}
