// A load test under bad conditions: resources of every service, through an engine, behind gateways. Each gateway accepts 30
// requests per second, responds after 5 to 500 ms, drops 5 % of the responses and refuses 5 % of the requests with 503. Each
// command runs once, and must end with no work left. The servers must contain each object once, and none at the end. No
// provider process may exceed its memory limit.
//   npm run soak -- load                  1,000 resources
//   npm run soak -- load --count 100   fewer
// PULUMI_ENGINE=cli or embedded selects the engine, QUARTERDECK_BRIDGE=plugin the bridge.
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const require = createRequire(import.meta.url);
const { engineOf } = require("./engine.cjs");
const { openStack } = require("./bench/stack.cjs");
const { startStubProcess } = require("./bench/stubProcess.cjs");
const { startWeather } = require("./bench/weather.cjs");
const { everyService, heldIn } = require("./bench/everyService.cjs");
const { watchProcesses } = require("./bench/processes.cjs");

const { values } = parseArgs({
  options: { count: { type: "string", default: "1000" }, seed: { type: "string", default: "1" } },
});
const count = Number(values.count);
const engine = await engineOf({ otherwise: "embedded" });
const isByPlugin = process.env.QUARTERDECK_BRIDGE === "plugin";
const { program, made } = everyService(count);

/** The memory limit of a provider's process in megabytes: a base amount, and some for each resource. */
const MOST_MEGABYTES = 256 + count * 0.25;
const none = Object.fromEntries(Object.keys(made).map((kind) => [kind, 0]));
/** The expected objects on the servers after a command. */
const held = { up: made, "no-op up": made, refresh: made, destroy: none };

const fail = (what) => {
  console.error(`failed: ${what}`);
  process.exitCode = 1;
};

const stub = await startStubProcess();
const weather = await startWeather(
  Object.fromEntries(Object.entries(stub.settings).map(([service, { address }]) => [service, address])),
  Number(values.seed),
);
const folder = mkdtempSync(join(tmpdir(), "quarterdeck-load-"));
try {
  const settings = Object.entries(stub.settings).map(([service, own]) => [
    service,
    { ...own, address: weather.addresses[service] },
  ]);
  const stack = await openStack(folder, {
    name: "load",
    command: engine.command,
    program,
    byPlugin: isByPlugin,
    settings: Object.fromEntries(settings),
  });
  const commands = {
    up: () => stack.up({ parallel: 64 }),
    "no-op up": () => stack.up({ parallel: 64, expectNoChanges: true }),
    refresh: () => stack.refresh({ parallel: 64, expectNoChanges: true }),
    destroy: () => stack.destroy({ parallel: 64 }),
  };
  for (const [name, run] of Object.entries(commands)) {
    const before = await weather.counts();
    const processes = watchProcesses(stub.process);
    const start = performance.now();
    const { summary } = await run();
    const seconds = ((performance.now() - start) / 1000).toFixed(1);
    const { megabytes } = processes.stop();
    const after = await weather.counts();
    const met = Object.entries(after).map(([fate, number]) => `${number - before[fate]} ${fate}`);
    const changes = JSON.stringify(summary.resourceChanges ?? {});
    console.log(`${name}: ${summary.result} in ${seconds} s, ${changes}`);
    console.log(`  requests: ${met.join(", ")}; the provider had at most ${Math.round(megabytes)} MB`);
    // Without /proc the value is NaN, and the check passes.
    if (megabytes > MOST_MEGABYTES) fail(`${name}: more than ${MOST_MEGABYTES} MB`);
    const holds = heldIn(await stub.dumps());
    for (const [kind, number] of Object.entries(held[name]))
      if (holds[kind] !== number)
        fail(`${name}: the services hold ${holds[kind]} of the kind ${kind}, and not ${number}`);
  }
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
} finally {
  await weather.stop();
  await stub.stop();
  rmSync(folder, { recursive: true, force: true });
}
