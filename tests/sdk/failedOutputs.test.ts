import { execFileSync } from "node:child_process";
import { join } from "node:path";

const root = join(__dirname, "../..");

/** A registration with a failure and these options, whose output is read or not. */
interface Registration {
  readonly trouble: string;
  readonly options: string;
  readonly reads: boolean;
}

/**
 * Returns the output and the unhandled rejections of each registration. They run in a separate process, because unhandled
 * rejections end the process of a test.
 */
function outcomes(registrations: readonly Registration[]): unknown[] {
  const each = registrations.map(
    ({ trouble, options, reads }) => `
      await pulumi.runtime.setMocks({ call: () => ({}), newResource: () => ({ id: "", state: {} }) });
      pulumi.runtime.getMonitor().registerResource = (_, callback) => { ${trouble} };
      const job = new scheduler.Job("web", { json: { ID: "web" } }, ${options});
      const later = turns(1000).then(() => "never");
      const output = ${reads ? "Promise.race([job.region.promise(), later]).catch(String)" : "undefined"};
      await later;
      outcomes.push({ output: await output, uncaught: [...uncaught] });
      uncaught.clear();`,
  );
  const program = `
    const pulumi = require("@pulumi/pulumi");
    const { RegisterResourceResponse } = require("@pulumi/pulumi/proto/resource_pb");
    const { scheduler } = require("pulumi-quarterdeck");
    const uncaught = new Set();
    const turns = async (count) => {
      for (let turn = 0; turn < count; turn++) await new Promise(setImmediate);
    };
    process.on("unhandledRejection", (reason) => uncaught.add(String(reason)));
    (async () => {
      const outcomes = [];
      ${each.map((one) => `{ ${one} }`).join("\n")}
      console.log(JSON.stringify(outcomes));
    })();`;
  return JSON.parse(execFileSync(process.execPath, ["-e", program], { cwd: root, encoding: "utf8" }));
}

/** With a transformation the resource has conventional outputs. */
const CONVENTIONAL = "{ transformations: [() => undefined] }";

const troubles = [
  [
    "the engine rejects the registration",
    'callback(Object.assign(new Error("closed"), { code: 2 }));',
    /closed/,
  ],
  [
    "the object fails",
    `const failed = new RegisterResourceResponse();
     failed.setUrn("urn:pulumi:a::b::c::web"); failed.setResult(1); callback(null, failed);`,
    /failed to register/,
  ],
  ["the engine becomes unavailable", 'callback(Object.assign(new Error("gone"), { code: 14 }));', /never/],
] as const;

it.each(troubles)("an output fails like a conventional output if %s", (_, trouble, message) => {
  const [light, conventional, unread, conventionalUnread] = outcomes(
    [true, false].flatMap((reads) => ["{}", CONVENTIONAL].map((options) => ({ trouble, options, reads }))),
  );
  expect(light).toEqual(conventional);
  expect(light).toMatchObject({ output: expect.stringMatching(message) });
  // The failure is also reported if no one reads the output.
  expect(unread).toEqual(conventionalUnread);
});
