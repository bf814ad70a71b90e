import { namesOf } from "./names";
import type { FoundObject } from "./report";

/** A resource as `pulumi import --file` is told of it. */
interface Imported {
  readonly type: string;
  readonly name: string;
  readonly id: string;
}

/** What `pulumi import --file` takes, by the plugin's types. */
export default function importFile(found: readonly FoundObject[]): {
  readonly resources: readonly Imported[];
} {
  const names = namesOf(found);
  return {
    resources: found.map((object) => ({
      type: `quarterdeck:${object.type}`,
      name: names.get(object) ?? object.id,
      id: object.id,
    })),
  };
}
