import type * as pulumi from "@pulumi/pulumi";
import ts from "typescript";

/** Compiles a program's text, in TypeScript, to an inline program. Its modules come from `load`. */
export function programOf(
  text: string,
  load: (module: string) => unknown = require,
): pulumi.automation.PulumiFn {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  return async () => {
    new Function("require", "exports", outputText)(load, {});
  };
}
