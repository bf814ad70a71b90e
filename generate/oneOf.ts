import type { Specified } from "../provider/core/language/fields";

/**
 * The properties of which a program writes one at least, as the definition's rules say.
 * @param path the object whose members they are: none is the resource itself, or the function's arguments
 */
export function oneOfAt({ rules = [] }: Specified, path = ""): readonly string[] | undefined {
  const before = path === "" ? "" : `${path}.`;
  return rules
    .flatMap(({ oneOf }) => (oneOf === undefined ? [] : [oneOf]))
    .filter((paths) => paths.every((each) => each.slice(0, each.lastIndexOf(".") + 1) === before))
    .map((paths) => paths.map((each) => each.slice(before.length)))[0];
}
