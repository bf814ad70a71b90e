import { dirname, join } from "node:path";
import * as ts from "typescript";

const root = join(__dirname, "../..");

/** The settings with which this repository is compiled; the package's own name leads to its sources. */
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

/** What the compiler says of these files, laid over the repository: a message a line. */
export function compiled(files: ReadonlyMap<string, string>): string[] {
  const own = compilerOptions();
  const laid = new Map([...files].map(([path, text]) => [join(root, path), text]));
  const folders = new Set([...laid.keys()].map(dirname));
  const host = ts.createCompilerHost(own);
  const { readFile, fileExists, directoryExists } = host;
  host.readFile = (path) => laid.get(path) ?? readFile.call(host, path);
  host.fileExists = (path) => laid.has(path) || fileExists.call(host, path);
  host.directoryExists = (path) => folders.has(path) || (directoryExists?.call(host, path) ?? true);
  const getSourceFile = host.getSourceFile.bind(host);
  host.getSourceFile = (path, languageVersion, ...rest) => {
    const text = laid.get(path);
    return text === undefined
      ? getSourceFile(path, languageVersion, ...rest)
      : ts.createSourceFile(path, text, languageVersion);
  };
  const program = ts.createProgram([...laid.keys()], own, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, messageText }) => {
    const where = file === undefined ? "" : `${file.fileName.slice(root.length + 1)}: `;
    return where + ts.flattenDiagnosticMessageText(messageText, "\n");
  });
}
