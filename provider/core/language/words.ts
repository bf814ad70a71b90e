import { z } from "zod";
import { field } from "./facts";

/**
 * One of these words, each with what it means: what a schema and the SDKs made of it tell beside the word.
 * `words({ creds: "The endpoint that makes users.", sts: "The one that makes sessions." })`
 */
export function words<const M extends Readonly<Record<string, string>>>(meanings: M) {
  // Types know the names, `fromEntries` only that they are text.
  const names = Object.fromEntries(Object.keys(meanings).map((name) => [name, name])) as {
    readonly [N in keyof M & string]: N;
  };
  return field(z.enum(names), { doc: "", meanings });
}
