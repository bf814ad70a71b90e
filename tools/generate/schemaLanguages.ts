/**
 * The options for each language's SDK generator. Every SDK has the package's version, so that it requests the plugin it was
 * generated from.
 * @param name the npm package
 * @param repository the URL of its repository
 */
export function languagesOf(name: string, repository: string) {
  return {
    // Generated imports must name the handwritten package that programs install.
    nodejs: { packageName: name, respectSchemaVersion: true },
    python: {
      packageName: name.replaceAll("-", "_"),
      // Documents may be written as dicts, with types for editors, or as objects of classes.
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
