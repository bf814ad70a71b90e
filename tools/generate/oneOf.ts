import type { Specified } from "../../provider/core/language/fields";

/**
 * The properties of which a program must set at least one, from the definition's rules.
 * @param path the object that contains them; empty for the resource itself or the function's arguments
 */
export function oneOfAt({ rules = [] }: Specified, path = ""): readonly string[] | undefined {
  const before = path === "" ? "" : `${path}.`;
  return rules
    .flatMap(({ oneOf }) => (oneOf === undefined ? [] : [oneOf]))
    .filter((paths) => paths.every((each) => each.slice(0, each.lastIndexOf(".") + 1) === before))
    .map((paths) => paths.map((each) => each.slice(before.length)))[0];
}
