/** The tools for tests of programs: an engine that runs without a CLI, and mock servers to run against. */
export * from "./engine";
export * from "./stack";
export * from "./stub";
