/** A resource in the format of `pulumi import --file`. */
interface Imported {
  readonly type: string;
  readonly name: string;
  readonly id: string;
}

/**
 * The input of `pulumi import --file`, with the plugin's types.
 * @param resources with this package's types, `scheduler:Job`
 */
export default function importFile(resources: readonly Imported[]): {
  readonly resources: readonly Imported[];
} {
  return { resources: resources.map(({ type, name, id }) => ({ type: `quarterdeck:${type}`, name, id })) };
}
