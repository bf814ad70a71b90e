/**
 * The CLI version whose protocols, files and messages the embedded engine follows. The suffix identifies the embedded
 * engine.
 */
export const ENGINE_VERSION = "v3.260.0+embedded";
