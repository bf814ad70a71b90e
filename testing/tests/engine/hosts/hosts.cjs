/**
 * Runs the dynamic provider host of @pulumi/pulumi, and our plugin, many times in one process. Each line on stdin
 * names the kind to start, and the new instance prints its port. Each instance has its own providers and
 * configuration. Only the modules that it imports are already loaded.
 */
const { createInterface } = require("node:readline");
const { join } = require("node:path");

const script = require.resolve("@pulumi/pulumi/cmd/dynamic-provider");
const dist = join(__dirname, "../../../../dist/provider");
const OWN = [script, join(dist, "host.js"), join(dist, "index.js")];
// The host reads the engine's address from this argument, and never calls it.
process.argv[2] = "127.0.0.1:0";
createInterface({ input: process.stdin })
  .on("line", (line) => {
    if (line === "plugin") return void servePlugin();
    for (const file of OWN) delete require.cache[file];
    require(script);
  })
  .on("close", () => process.exit());

async function servePlugin() {
  const { serve } = require(join(dist, "core/bridge/plugin/service.js"));
  const { port } = await serve(require(join(dist, "plugin.js")).plugin);
  console.log(port);
}
