/**
 * What the SDKs of each language are made by. All keep the package's version, so that an SDK asks for the plugin that it
 * was made from.
 * @param name what programs in TypeScript install
 * @param repository the address of its repository
 */
export function languagesOf(name: string, repository: string) {
  return {
    // Generated imports name the package that programs install, which is written by hand.
    nodejs: { packageName: name, respectSchemaVersion: true },
    python: {
      packageName: name.replaceAll("-", "_"),
      // Documents may be written as they are: as dicts, with types for editors, or as objects of classes.
      inputTypes: "classes-and-dicts",
      pyproject: { enabled: true },
      respectSchemaVersion: true,
    },
    go: {
      importBasePath: `${repository.replace(/^\w+:\/\//, "")}/sdk/go/quarterdeck`,
      generateResourceContainerTypes: true,
      respectSchemaVersion: true,
    },
  };
}
