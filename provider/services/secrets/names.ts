import type { Naming, Site } from "../../core";
import { isReal } from "./usualMounts";

// The name patterns of the engines of Vault and OpenBao (docs/wire.md, "Names in paths"). For a name that does not match,
// the server has no path: 404, "unsupported path".

function nameRule(pattern: RegExp, allowed: string): (name: string, site: Site) => string | undefined {
  const reason = `must consist of ${allowed}, and must start and end with a letter, digit or _: the server has no path for other names`;
  return (name, site) => (isReal(site.dialect) && !pattern.test(name) ? reason : undefined);
}

/** A name that most paths accept. */
export const genericName: Naming = {
  problem: nameRule(/^\w(?:[\w.-]*\w)?$/, "ASCII letters, digits, _, - and ."),
};

/** A name that may also contain `@`. */
export const nameWithAt: Naming = {
  problem: nameRule(/^\w(?:[\w.@-]*\w)?$/, "ASCII letters, digits, _, -, . and @"),
};

const directoryProblem = nameRule(/^\w(?:[\w./-]*\w)?$/, "ASCII letters, digits, _, -, . and /");

/**
 * A name in the LDAP engine, which stores it in lower case: a dynamic role written with an upper-case name could not be read
 * or deleted. Newer servers accept slashes.
 */
export const directoryName: Naming = {
  stored: (name, site) => (isReal(site.dialect) ? name.toLowerCase() : name),
  problem: directoryProblem,
};

/** The paths below a library set, which take precedence over a set with such a name. */
const OF_A_SET = /\/(?:check-out|check-in|status)$/;

/** A library set's name. */
export const setName: Naming = {
  ...directoryName,
  problem: (name, site) => {
    const [own] = (isReal(site.dialect) && OF_A_SET.exec(directoryName.stored?.(name, site) ?? name)) || [];
    return own === undefined
      ? directoryProblem(name, site)
      : `must not end in ${own}: the name would be the path of an operation on another set`;
  },
};
