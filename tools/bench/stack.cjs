// A stack with a folder of its own, whose services are reached by given settings.
const { mkdirSync } = require("node:fs");
const { join } = require("node:path");
const { LocalWorkspace, Stack } = require("@pulumi/pulumi/automation");

const root = join(__dirname, "../..");

/** The package's plugin, as a project's file names it. */
const OWN_PLUGIN = { name: "quarterdeck", path: join(root, "plugin") };

/**
 * @param folder empty; the state's files are below its `state`
 * @param name the project's and the stack's
 */
async function openStack(
  folder,
  { name, command, program, byPlugin = false, settings, plugins = [OWN_PLUGIN], environment = {} },
) {
  for (const part of ["work", "state"]) mkdirSync(join(folder, part));
  const workspace = await LocalWorkspace.create({
    workDir: join(folder, "work"),
    pulumiCommand: command,
    program,
    projectSettings: { name, runtime: "nodejs", main: root, plugins: { providers: plugins } },
    envVars: {
      PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
      PULUMI_CONFIG_PASSPHRASE: name,
      PULUMI_SKIP_UPDATE_CHECK: "true",
      ...environment,
    },
  });
  const stack = await Stack.create(name, workspace);
  if (byPlugin) await stack.setConfig("quarterdeck:bridge", { value: "plugin" });
  for (const [service, own] of Object.entries(settings)) {
    await stack.setConfig(`quarterdeck:${service}`, { value: JSON.stringify(own), secret: true });
  }
  return stack;
}

module.exports = { OWN_PLUGIN, openStack };
