/**
 * The host of dynamic providers as @pulumi/pulumi has it, and our plugin, many times in one process: to each line on stdin,
 * which says what it is to be, a new one answers with its port. What it knows of providers and configuration is its own, and
 * so are our own providers; only what it loads stands already.
 */
const { createInterface } = require("node:readline");
const { join } = require("node:path");

const script = require.resolve("@pulumi/pulumi/cmd/dynamic-provider");
const dist = join(__dirname, "../../../../dist/provider");
const OWN = [script, join(dist, "host.js"), join(dist, "index.js")];
// It reads the engine's address from there, and never calls it.
process.argv[2] = "127.0.0.1:0";
createInterface({ input: process.stdin })
  .on("line", (line) => {
    if (line === "plugin") return void servePlugin();
    for (const file of OWN) delete require.cache[file];
    require(script);
  })
  .on("close", () => process.exit());

async function servePlugin() {
  const { serve } = require(join(dist, "core/bridge/plugin/serve.js"));
  const { port } = await serve(require(join(dist, "plugin.js")).plugin);
  console.log(port);
}
