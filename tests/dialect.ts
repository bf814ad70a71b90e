import { catalog } from "../provider/catalog";

/** The names that a test's stub and connection use. */
export type Dialect = "neutral" | "real";

/**
 * The dialect in which a definition's property tests run: the two in turn, in the order of the catalog.
 * `QUARTERDECK_TEST_DIALECT` names one for all, or `other` for the opposite of each.
 */
export function dialectFor(token: string): Dialect {
  const asked = process.env.QUARTERDECK_TEST_DIALECT;
  if (asked === "neutral" || asked === "real") return asked;
  const isReal = Object.keys(catalog).indexOf(token) % 2 === 0;
  return isReal === (asked !== "other") ? "real" : "neutral";
}

/** The switch of a stub service that runs a definition's property tests. */
export function switchesFor({ token }: { readonly token: string }): { readonly dialect: Dialect } {
  return { dialect: dialectFor(token) };
}
