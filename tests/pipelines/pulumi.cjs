// A stand-in for the Pulumi CLI: a stack with one entry and one secret. It previews the changes from the applied to the
// desired state, applies them, and enforces a plan as the CLI does.
const { readFileSync, writeFileSync } = require("node:fs");
const { join } = require("node:path");

const args = process.argv.slice(2);
const folder = process.env.STAND_IN;
const file = join(folder, "stack.json");
const stack = JSON.parse(readFileSync(file, "utf8"));
const after = (flag) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined);
const isCalled = (...words) => words.every((word, at) => args[at] === word);

if (after("--stack") !== "production" || process.env.PULUMI_ACCESS_TOKEN !== "canary-access")
  fail("not logged in");
else if (isCalled("config", "get", "quarterdeck:bridge")) console.log(stack.bridge);
else if (isCalled("config", "--json")) console.log("{}");
else if (isCalled("stack", "export", "--show-secrets"))
  process.stdout.write(readFileSync(join(folder, "export.json")));
else if (isCalled("preview", "--json", "--non-interactive")) preview();
else if (isCalled("up", "--yes", "--non-interactive")) up();
else fail(`the stand-in for pulumi does not know: ${args.join(" ")}`);

function preview() {
  if (stack.wanted === "wrong") {
    const message = 'spec.Protocol: "wrong" is no protocol';
    console.log(JSON.stringify({ steps: [], diagnostics: [{ severity: "error", message }] }));
    process.exitCode = 1;
    return;
  }
  const urn = (type, name) => `urn:pulumi:production::pipes::quarterdeck:${type}::${name}`;
  const state = (Protocol) => ({ inputs: { spec: { Protocol }, __aside: "internal" } });
  const isMade = stack.applied !== undefined;
  const op = isMade ? (stack.applied === stack.wanted ? "same" : "update") : "create";
  const role = { inputs: { tags: "[secret]" } };
  const steps = [
    {
      op,
      urn: urn("mesh:ConfigEntry", "api"),
      ...(isMade && { oldState: state(stack.applied) }),
      newState: state(stack.wanted),
    },
    { op: isMade ? "same" : "create", urn: urn("secrets:QueueRole", "orders"), newState: role },
  ];
  // Independent steps come in any order.
  if (stack.previews++ % 2 === 0) steps.reverse();
  writeFileSync(file, JSON.stringify(stack));
  const plan = after("--save-plan");
  if (plan !== undefined) writeFileSync(plan, JSON.stringify({ wanted: stack.wanted, tags: "canary-plan" }));
  console.log(JSON.stringify({ steps }));
}

function up() {
  const plan = after("--plan");
  const isViolated = plan !== undefined && JSON.parse(readFileSync(plan, "utf8")).wanted !== stack.wanted;
  if (!args.includes("--skip-preview")) {
    console.log("Previewing update (production):");
    if (isViolated) return fail("violates plan");
  }
  console.log("Updating (production):");
  if (isViolated) fail("violates plan");
  else writeFileSync(file, JSON.stringify({ ...stack, applied: stack.wanted }));
}

function fail(why) {
  console.error(why);
  process.exitCode = 1;
}
