import { dirname } from "node:path";
import * as ts from "typescript";
import { compilerOptions } from "../generate/compiled";

/** Returns the types and docs that an editor shows for these properties of the last object in a program. */
export function shownAt(
  path: string,
  text: string,
  properties: readonly string[],
): Readonly<Record<string, string>> {
  const read = (file: string) => (file === path ? text : ts.sys.readFile(file));
  const service = ts.createLanguageService({
    getCompilationSettings: compilerOptions,
    getCurrentDirectory: () => dirname(path),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    getScriptFileNames: () => [path],
    getScriptVersion: () => "1",
    getScriptSnapshot: (file) => {
      const found = read(file);
      return found === undefined ? undefined : ts.ScriptSnapshot.fromString(found);
    },
    fileExists: (file) => file === path || ts.sys.fileExists(file),
    readFile: read,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    readDirectory: ts.sys.readDirectory,
  });
  return Object.fromEntries(
    properties.map((property) => {
      const shown = service.getQuickInfoAtPosition(path, text.lastIndexOf(`${property}:`));
      return [
        property,
        `${ts.displayPartsToString(shown?.displayParts)}\n${ts.displayPartsToString(shown?.documentation)}`,
      ];
    }),
  );
}
