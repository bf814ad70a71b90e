import type { Naming, Site } from "../../core";
import { isReal } from "./usualMounts";

// What the real product's engines make of the names in their paths (docs/wire.md, "Names in paths"). A name that an engine's
// pattern does not match is no path that it has: 404, "unsupported path".

function named(pattern: RegExp, allowed: string): (name: string, site: Site) => string | undefined {
  const reason = `must be ${allowed}, with a letter, digit or _ at both ends: the server has no path for any other name`;
  return (name, site) => (isReal(site.dialect) && !pattern.test(name) ? reason : undefined);
}

/** A name as most paths take it. */
export const genericName: Naming = {
  problem: named(/^\w(?:[\w.-]*\w)?$/, "ASCII letters, digits, _, - and ."),
};

/** A name that may also hold `@`. */
export const nameWithAt: Naming = {
  problem: named(/^\w(?:[\w.@-]*\w)?$/, "ASCII letters, digits, _, -, . and @"),
};

const directoryProblem = named(/^\w(?:[\w./-]*\w)?$/, "ASCII letters, digits, _, -, . and /");

/**
 * A name in the directory engine, which stores it in lower case: a dynamic role that is written with an upper-case name could
 * not be read or deleted. Newer servers take slashes.
 */
export const directoryName: Naming = {
  stored: (name, site) => (isReal(site.dialect) ? name.toLowerCase() : name),
  problem: directoryProblem,
};

/** The paths below a library set, which win over a set of that name. */
const OF_A_SET = /\/(?:check-out|check-in|status)$/;

/** A library set's name. */
export const setName: Naming = {
  ...directoryName,
  problem: (name, site) => {
    const [own] = (isReal(site.dialect) && OF_A_SET.exec(directoryName.stored?.(name, site) ?? name)) || [];
    return own === undefined
      ? directoryProblem(name, site)
      : `must not end in ${own}: that is a path of another set`;
  },
};
