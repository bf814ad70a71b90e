import type * as pulumi from "@pulumi/pulumi";
import ts from "typescript";

/** Compiles a program's text, in TypeScript, to an inline program. */
export function programOf(text: string): pulumi.automation.PulumiFn {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  return async () => {
    new Function("require", "exports", outputText)(require, {});
  };
}
