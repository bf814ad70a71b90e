/** Members of a service's dump: what it remembers of objects that are gone, and its own counters. */
export const HISTORIES: ReadonlySet<string> = new Set([
  "allocations",
  "deployments",
  "due",
  "evaluations",
  "index",
  "tables",
]);
