/**
 * One way to break the code: a text of the provider, wherever it stands by then, and what comes in its place. The text
 * is there exactly once, so that a mutation says so when what it broke has changed.
 * @typedef {object} Mutation
 * @property {string} what what is no longer true
 * @property {string} find
 * @property {string} replace
 * @property {readonly string[]} tests the files that should notice
 * @property {string} [only] the tests of them, by a pattern of their names
 * @property {number} [every] of the cells of tests/faults one in so many is tried, where fewer would not do
 */

/** How writes are sent once, and looked after. */
export const WRITES = ["tests/core/requests"];

/** What a state is after a write that came late, or was refused, on a scene of each service. */
export const LATE = ["tests/steps/lateWrites", "tests/steps/lateCreates", "tests/steps/ownNo"];

/** Conflicts and how they are told. */
export const CONFLICTS = ["tests/steps/conflict", "tests/steps/ignored"];

/** The comparison by itself. */
export const COMPARE = ["tests/core/compare"];

/** A law of tests/steps over a few definitions of each service. */
export const law = (...names) => ({
  tests: names.map((name) => `tests/steps/${name}.test`),
  only: "secrets:QueueRole|scheduler:Job|workspaces:Workspace |mesh:ConfigEntry",
});
