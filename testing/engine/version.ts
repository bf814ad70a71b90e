/** The version of the CLI whose protocols, files and words the embedded engine follows; the mark says which of both it is. */
export const ENGINE_VERSION = "v3.260.0+embedded";
