/** What programs are tested with: an engine that runs without a CLI, and control planes to run against. */
export * from "./engine";
export * from "./stack";
export * from "./stub";
