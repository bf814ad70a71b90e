import { type Json, parseJson } from "../../provider/core/value/json";
import { HISTORIES as OF_WHAT_IS_GONE } from "../histories";

/** Data that differs after a repeated write. */
const HISTORIES = new Set([...OF_WHAT_IS_GONE, "versions", "runs", "configurationVersions"]);

/** Fields that depend on the time of the read. */
const BY_TIME = new Set(["Status", "Stable"]);

/** Those fields, and fields that differ after a repeated write. */
const PASSING = new Set([...BY_TIME, "lastPassword"]);

/** Members that count writes. A repeated write changes them. */
const COUNTERS = /^(index|[vV]ersion|.*Index|.*-index)$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/;
/** Secrets that a service generates: passwords, keys, shares (also the stub's encrypted ones) and leases. */
const MADE_SECRET =
  /(?<=check-out\/)\w+|\bAKIA[0-9A-Z]{16}\b|[A-Za-z0-9+/]{43,44}={0,2}(?![\w+/])|\b(?=\w*\d)(?=\w*[A-Z])(?=\w*[a-z])[A-Za-z0-9]{24,}\b|\b7067703a[0-9a-f]+\b/g;
const MADE_ID =
  /\b(?:auth_)?[a-z]+_[0-9a-f]{8}\b|\b(?:ws|rt|nc|team|tws|run|cv|drp|varset|prov|provver|provpltfrm|tag|wr|var|version|prj|apool|sshkey|at|oc|ot|sv|wsout)-[0-9a-z]{10}\b|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g;

/** The ID of a Vault namespace, which is too short for a pattern. */
const OF_NAMESPACE = "the ID of a namespace";

/** The complete content of a service, without the data that differs between runs: generated IDs, times and counts. */
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
          .map(([member, one]) => [
            unmade(member),
            plain(one, member === "id" && "customMetadata" in value ? OF_NAMESPACE : member),
          ]),
      );
    if (COUNTERS.test(name)) return "a count";
    if (name === OF_NAMESPACE && typeof value === "string") return idFor(value);
    if (typeof value === "string") return TIME.test(value) ? "a time" : unmade(value);
    return (typeof value === "number" || typeof value === "bigint") && isTime(value) ? "a time" : value;
  };
  return JSON.stringify(plain(parseJson(JSON.stringify(dump, (_, value) => asText(value))), ""), null, 1);
}

/** The time of a test in milliseconds or nanoseconds. Durations in nanoseconds can be between the two. */
const isTime = (value: number | bigint) => (value > 1e11 && value < 1e13) || value > 1e17;

/** The digits of a number that JSON cannot represent. */
function asText(value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}

/** The exact content of a service, without the data that changes with time. */
export function exactly(dump: unknown): string {
  return JSON.stringify(dump, (name, value) =>
    OF_WHAT_IS_GONE.has(name) || BY_TIME.has(name) ? undefined : asText(value),
  );
}
