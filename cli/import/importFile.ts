import { namesOf, type TakenNames } from "../list/names";
import type { FoundObject } from "../list/report";

/** A resource in the format of `pulumi import --file`. */
interface Imported {
  readonly type: string;
  readonly name: string;
  readonly id: string;
}

/** The input of `pulumi import --file`, with the plugin's types. */
export default function importFile(
  found: readonly FoundObject[],
  used?: TakenNames,
): { readonly resources: readonly Imported[] } {
  const names = namesOf(found, used);
  return {
    resources: found.map((object) => ({
      type: `quarterdeck:${object.type}`,
      name: names.get(object) ?? object.id,
      id: object.id,
    })),
  };
}
