import type { Entry } from "./entries";

type Members = { readonly [member: string]: unknown };

/** An entry in the service's own spelling (wire facts: "Reads normalise"). */
export function normalised(entry: Entry): Entry {
  const own =
    PROTOCOLS.has(entry.Kind) && typeof entry.Protocol === "string"
      ? { Protocol: entry.Protocol.toLowerCase() }
      : {};
  const durations = Object.fromEntries(
    DURATIONS.flatMap((name) => {
      const value = entry[name];
      return typeof value === "string" ? [[name, duration(value)]] : [];
    }),
  );
  return {
    ...entry,
    ...own,
    ...durations,
    ...(entry.Kind === "service-splitter" && { Splits: listOf(entry.Splits).map(weighed) }),
    ...(entry.Kind === "service-router" && { Routes: listOf(entry.Routes).map(routed) }),
    ...(entry.Kind === "service-intentions" && { Sources: ordered(listOf(entry.Sources)) }),
  };
}

const PROTOCOLS = new Set(["service-defaults", "proxy-defaults"]);
const DURATIONS = ["ConnectTimeout", "RequestTimeout"];

/** Weights are rounded to hundredths. */
function weighed(split: Members): Members {
  return typeof split.Weight === "number"
    ? { ...split, Weight: Math.round(split.Weight * 100) / 100 }
    : split;
}

/** HTTP methods are upper-cased. */
function routed(route: Members): Members {
  const match = membersOf(route.Match);
  const http = membersOf(match?.HTTP);
  if (http === undefined || !Array.isArray(http.Methods)) return route;
  const Methods = http.Methods.map((method) => String(method).toUpperCase());
  return { ...route, Match: { ...match, HTTP: { ...http, Methods } } };
}

/** Sources carry a computed precedence, and stand in its order: an exact name before a wildcard. */
function ordered(sources: readonly Members[]): Members[] {
  return sources
    .map((source) => ({ ...source, Type: source.Type ?? "consul", Precedence: source.Name === "*" ? 8 : 9 }))
    .sort((a, b) => b.Precedence - a.Precedence);
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `90s` comes back as `1m30s`. */
function duration(text: string): string {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smh])/g)];
  if (parts.length === 0 || parts.map(([part]) => part).join("") !== text) return text;
  let left = parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ""] ?? 0), 0);
  const hours = Math.floor(left / 3_600_000);
  left -= hours * 3_600_000;
  const minutes = Math.floor(left / 60_000);
  left -= minutes * 60_000;
  const shownHours = hours > 0 ? `${hours}h` : "";
  return `${shownHours}${hours > 0 || minutes > 0 ? `${minutes}m` : ""}${left / 1000}s`;
}

function listOf(value: unknown): readonly Members[] {
  const elements: readonly unknown[] = Array.isArray(value) ? value : [];
  return elements.flatMap((element) => {
    const members = membersOf(element);
    return members === undefined ? [] : [members];
  });
}

function membersOf(value: unknown): Members | undefined {
  // Objects of a parsed body have members, and nothing else.
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Members)
    : undefined;
}
