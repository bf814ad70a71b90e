import { execFileSync } from "node:child_process";
import { join } from "node:path";

const root = join(__dirname, "../..");

/**
 * What a resource's output comes to where its registration comes to this, in a process of its own, because what nobody
 * catches ends the process of a test. With a transformation the class is a conventional one.
 */
function outcomes(trouble: string, options: string, reads: boolean): unknown {
  const program = `
    const pulumi = require("@pulumi/pulumi");
    const { RegisterResourceResponse } = require("@pulumi/pulumi/proto/resource_pb");
    const { scheduler } = require("pulumi-quarterdeck");
    const uncaught = new Set();
    process.on("unhandledRejection", (reason) => uncaught.add(String(reason)));
    (async () => {
      await pulumi.runtime.setMocks({ call: () => ({}), newResource: () => ({ id: "", state: {} }) });
      pulumi.runtime.getMonitor().registerResource = (_, callback) => { ${trouble} };
      const job = new scheduler.Job("web", { json: { ID: "web" } }, ${options});
      const later = new Promise((resolve) => setTimeout(resolve, 200, "never"));
      const output = ${reads ? "Promise.race([job.region.promise(), later]).catch(String)" : "undefined"};
      await later;
      console.log(JSON.stringify({ output: await output, uncaught: [...uncaught] }));
    })();`;
  return JSON.parse(execFileSync(process.execPath, ["-e", program], { cwd: root, encoding: "utf8" }));
}

const CONVENTIONAL = "{ transformations: [() => undefined] }";

const troubles = [
  ["the engine refuses", 'callback(Object.assign(new Error("closed"), { code: 2 }));', /closed/],
  [
    "the object failed",
    `const failed = new RegisterResourceResponse();
     failed.setUrn("urn:pulumi:a::b::c::web"); failed.setResult(1); callback(null, failed);`,
    /failed to register/,
  ],
  ["the engine goes away", 'callback(Object.assign(new Error("gone"), { code: 14 }));', /never/],
] as const;

describe("an output of a registration that fails", () => {
  it.each(troubles)("fails as a conventional one does where %s", (_, trouble, says) => {
    const light = outcomes(trouble, "{}", true);
    expect(light).toEqual(outcomes(trouble, CONVENTIONAL, true));
    expect(light).toMatchObject({ output: expect.stringMatching(says) });
  });

  it.each(troubles)("leaves the failure to be seen where nobody reads it, and %s", (_, trouble) => {
    expect(outcomes(trouble, "{}", false)).toEqual(outcomes(trouble, CONVENTIONAL, false));
  });
});
