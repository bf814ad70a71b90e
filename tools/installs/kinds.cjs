// The kinds of module resolution in a program's compiler, each with a project layout.
const { cpSync, mkdirSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const PROGRAMS = join(__dirname, "../../tests/install/project");

/** The settings of Pulumi's TypeScript template, without the module resolution. */
const TEMPLATE = {
  strict: true,
  outDir: "bin",
  target: "es2020",
  sourceMap: true,
  experimentalDecorators: true,
  pretty: true,
  noFallthroughCasesInSwitch: true,
  noImplicitReturns: true,
  forceConsistentCasingInFileNames: true,
};

const TYPESCRIPT = ["everything.ts", "index.ts"];

/** A program that shows whether a compiler accepts Pulumi's SDK alone. */
const SDK_ALONE = "sdkAlone.ts";

/** By name: the compiler settings, the files, and the package's module type. */
const KINDS = [
  { name: "node, CommonJS", type: "commonjs", module: "commonjs", moduleResolution: "node" },
  { name: "node, ES modules", type: "commonjs", module: "es2020", moduleResolution: "node" },
  { name: "node16, CommonJS", type: "commonjs", module: "node16", moduleResolution: "node16" },
  { name: "node16, ES modules", type: "module", module: "node16", moduleResolution: "node16" },
  { name: "nodenext, CommonJS", type: "commonjs", module: "nodenext", moduleResolution: "nodenext" },
  { name: "nodenext, ES modules", type: "module", module: "nodenext", moduleResolution: "nodenext" },
  { name: "bundler, CommonJS", type: "commonjs", module: "preserve", moduleResolution: "bundler" },
  { name: "bundler, ES modules", type: "module", module: "esnext", moduleResolution: "bundler" },
  {
    name: "plain JavaScript",
    type: "commonjs",
    module: "node16",
    moduleResolution: "node16",
    files: ["plain.cjs", "plain.mjs"],
  },
];

/** TypeScript 6 accepts the oldest module resolution only with `ignoreDeprecations`. */
function knowing(typescript) {
  return Number.parseInt(typescript, 10) >= 6 ? { ignoreDeprecations: "6.0" } : {};
}

/** Writes the programs and settings of a kind to a folder; its imports are installed in a parent folder. */
function layOut(folder, { type, module, moduleResolution, files = TYPESCRIPT }, typescript) {
  mkdirSync(folder, { recursive: true });
  for (const file of files) cpSync(join(PROGRAMS, file), join(folder, file));
  const isJavaScript = files !== TYPESCRIPT;
  const compilerOptions = {
    ...TEMPLATE,
    module,
    moduleResolution,
    ...(moduleResolution === "node" && knowing(typescript)),
    ...(isJavaScript && { allowJs: true, checkJs: true }),
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "program", private: true, type }));
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }, null, 2));
  writeFileSync(join(folder, SDK_ALONE), `export { getStack } from "@pulumi/pulumi";\n`);
  writeFileSync(join(folder, "sdk.json"), JSON.stringify({ compilerOptions, files: [SDK_ALONE] }, null, 2));
}

/** The deployed programs: their language and their project's settings. */
const DEPLOYED = [
  { name: "TypeScript", program: "index.ts", as: "index.ts", type: "commonjs" },
  { name: "JavaScript, CommonJS", program: "plain.cjs", as: "index.js", type: "commonjs" },
  { name: "JavaScript, ES modules", program: "plain.mjs", as: "index.js", type: "module" },
];

/** Writes a deployable project, like Pulumi's template. */
function layOutProject(folder, { program, as, type }, dependencies, typescript) {
  mkdirSync(folder, { recursive: true });
  cpSync(join(PROGRAMS, program), join(folder, as));
  cpSync(join(__dirname, "drive.cjs"), join(folder, "drive.cjs"));
  writeFileSync(join(folder, "Pulumi.yaml"), "name: install\nruntime: nodejs\n");
  const manifest = { name: "install", private: true, type, main: as, ...dependencies };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest, null, 2));
  if (!as.endsWith(".ts")) return;
  const compilerOptions = {
    ...TEMPLATE,
    module: "commonjs",
    moduleResolution: "node",
    ...knowing(typescript),
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [as] }, null, 2));
}

module.exports = { KINDS, DEPLOYED, layOut, layOutProject };
