import { resolve } from "node:path";
import { compare, compareWithOwnHosts } from "./compare";
import type { LocalProgram } from "./compared-stack";

const PROVIDER = resolve(__dirname, "provider.cjs");

/** The source of a local program, which cannot import classes of the repository. */
const source = (body: string) => `
  const pulumi = require("@pulumi/pulumi");
  class Thing extends pulumi.CustomResource {
    constructor(name, args, options) {
      const __provider = ${JSON.stringify(`exports.handler = () => require(${JSON.stringify(PROVIDER)})()`)};
      super("pulumi-nodejs:dynamic/comparison:Thing", name, { name, computed: undefined, ...args, __provider }, options);
    }
  }
  ${body}
`;

const javascript = (body: string): LocalProgram => ({
  files: { "index.js": source(body) },
  options: { typescript: false },
});

compare("runs a local program in a separate process", async (stack) => {
  const program = (value: number) =>
    javascript(`
      const thing = new Thing("one", { value: ${value} });
      exports.computed = thing.computed;
      exports.project = pulumi.getProject() + "/" + pulumi.getStack() + " of " + pulumi.getOrganization();
      exports.preview = pulumi.runtime.isDryRun();
      console.log("a line of the program");
      console.error("a line of trouble");
    `);
  await stack.preview(program(1));
  await stack.up(program(1));
  await stack.up(program(2));
  await stack.refresh(program(2));
  await stack.destroy(program(2));
});

compare(
  "runs a TypeScript program without compilation from the folder or file of the main setting",
  async (stack) => {
    const body = `
    import * as pulumi from "@pulumi/pulumi";
    const config: pulumi.Config = new pulumi.Config();
    interface Shape { readonly size: number }
    const shape: Shape = { size: 3 };
    export const size: number = shape.size;
    export const secret = config.requireSecret("token");
    export const folder = process.cwd().split("/").pop();
  `;
    await stack.config("token", "hidden", true);
    const tsconfig = JSON.stringify({
      compilerOptions: {
        module: "commonjs",
        target: "es2020",
        strict: true,
        moduleResolution: "node",
        ignoreDeprecations: "6.0",
      },
    });
    await stack.up({
      main: "program",
      files: { "program/index.ts": body, "program/tsconfig.json": tsconfig },
    });
    await stack.up({
      main: "program/other.ts",
      files: { "program/other.ts": body, "program/tsconfig.json": tsconfig },
    });
  },
);

compare(
  "an update fails if the program throws, and keeps the resources that it created before",
  async (stack) => {
    await stack.up(
      javascript(`
      const thing = new Thing("one", { value: 1 });
      module.exports = async () => {
        await new Promise((resolve) => thing.urn.apply(resolve));
        throw new pulumi.RunError("a mistake after the first resource");
      };
    `),
    );
    await stack.up(javascript(`throw new pulumi.RunError("a mistake without a trace");`));
    await stack.preview(javascript(`throw new pulumi.RunError("a mistake in a preview");`));
    await stack.up(javascript(`process.exit(7);`));
  },
);

compareWithOwnHosts("a local program ends if the create of its resource fails", async (stack) => {
  await stack.up(
    javascript(`
    const bad = new Thing("bad", { fail: "create" });
    new Thing("needy", { value: bad.computed });
  `),
  );
});

compare("passes nodeargs of the runtime options to the process", async (stack) => {
  const files = {
    "index.js": `exports.old = process.memoryUsage !== undefined; exports.arguments = process.execArgv.join(" ");`,
  };
  await stack.up({ files, options: { typescript: false, nodeargs: "--stack-trace-limit=5  --no-warnings" } });
});

compare("reports a missing main folder before any operation", async (stack) => {
  await stack.up({ main: "missing", files: { "index.js": "" } });
});
