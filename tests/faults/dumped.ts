import { type Json, parseJson } from "../../provider/core/value/json";
import { HISTORIES as OF_WHAT_IS_GONE } from "../histories";

/** What is another after a write that was sent once more. */
const HISTORIES = new Set([...OF_WHAT_IS_GONE, "versions", "runs"]);

/** What is otherwise by the time at which it was looked at. */
const BY_TIME = new Set(["Status", "Stable"]);

/** The same, and what is otherwise only for having been written twice. */
const PASSING = new Set([...BY_TIME, "lastPassword"]);

/** Members that count writes: a write that was sent once more moves them. */
const COUNTERS = /^(index|[vV]ersion|.*Index|.*-index)$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
/** Passwords, keys, shares (the stub's sealed ones, too) and leases that a service makes up. */
const MADE_SECRET =
  /(?<=check-out\/)\w+|\bAKIA[0-9A-Z]{16}\b|[A-Za-z0-9+/]{43,44}={0,2}(?![\w+/])|\b(?=\w*\d)(?=\w*[A-Z])(?=\w*[a-z])[A-Za-z0-9]{24,}\b|\b7067703a[0-9a-f]+\b/g;
const MADE_ID =
  /\b(?:ws|drp|prov|tag|wr)-[0-9a-z]{10}\b|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

/** Everything that a service knows, without what no two runs have in common: its own ids, times and counts. */
export function dumped(dump: unknown): string {
  const ids = new Map<string, string>();
  const idFor = (id: string): string => {
    const known = ids.get(id) ?? `id-${ids.size + 1}`;
    ids.set(id, known);
    return known;
  };
  const unmade = (text: string) => text.replace(MADE_ID, idFor).replace(MADE_SECRET, "made up");
  const plain = (value: Json, name: string): Json => {
    if (Array.isArray(value)) return value.map((one) => plain(one, name));
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(
        Object.entries(value)
          .filter(([member]) => !HISTORIES.has(member) && !PASSING.has(member))
          .map(([member, one]) => [unmade(member), plain(one, member)]),
      );
    if (COUNTERS.test(name)) return "a count";
    if (typeof value === "string") return TIME.test(value) ? "a time" : unmade(value);
    return (typeof value === "number" || typeof value === "bigint") && value > 1e11 ? "a time" : value;
  };
  return JSON.stringify(plain(parseJson(JSON.stringify(dump, (_, value) => asText(value))), ""), null, 1);
}

/** A number beyond those of JSON, which somebody may have sent, in digits. */
function asText(value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

/** Everything that a service knows, to the byte, but for what it goes on with by itself, whoever asks. */
export function exactly(dump: unknown): string {
  return JSON.stringify(dump, (name, value) =>
    OF_WHAT_IS_GONE.has(name) || BY_TIME.has(name) ? undefined : asText(value),
  );
}
