import { dirname, join } from "node:path";
import * as ts from "typescript";

const root = join(__dirname, "../..");

/** The compiler options of this repository; the package's own name resolves to its sources. */
export function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const own: ts.CompilerOptions = {
    ...options,
    noEmit: true,
    incremental: false,
    noUnusedLocals: false,
    paths: { "pulumi-quarterdeck": [join(root, "sdk/index.ts")] },
  };
  delete own.tsBuildInfoFile;
  return own;
}

/** The compiler's messages for these files, which override those of the repository. */
export function compiled(files: ReadonlyMap<string, string>): string[] {
  const own = compilerOptions();
  const overrides = new Map([...files].map(([path, text]) => [join(root, path), text]));
  const folders = new Set([...overrides.keys()].map(dirname));
  const host = ts.createCompilerHost(own);
  const { readFile, fileExists, directoryExists } = host;
  host.readFile = (path) => overrides.get(path) ?? readFile.call(host, path);
  host.fileExists = (path) => overrides.has(path) || fileExists.call(host, path);
  host.directoryExists = (path) => folders.has(path) || (directoryExists?.call(host, path) ?? true);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (path, languageVersion, ...rest) => {
    const text = overrides.get(path);
    return text === undefined
      ? getSourceFile(path, languageVersion, ...rest)
      : ts.createSourceFile(path, text, languageVersion);
  };
  const program = ts.createProgram([...overrides.keys()], own, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const where = file === undefined ? "" : `${file.fileName.slice(root.length + 1)}: `;
    return where + ts.flattenDiagnosticMessageText(messageText, "\n");
  });
}
