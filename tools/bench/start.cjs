// How soon a plugin's process says its port, and what it has in use by then.
const { spawn } = require("node:child_process");
const { readFileSync } = require("node:fs");
const { join } = require("node:path");
const { createInterface } = require("node:readline");

const TRIES = 5;

/** Of each plugin: the best of some starts. */
exports.measureStart = async (plugins) => {
  const measured = {};
  for (const { name, path } of plugins) {
    const starts = [];
    for (let number = 0; number < TRIES; number++) starts.push(await start(name, path));
    measured[name] = {
      milliseconds: Math.min(...starts.map(({ milliseconds }) => milliseconds)),
      megabytes: Math.min(...starts.map(({ megabytes }) => megabytes)),
    };
  }
  return measured;
};

async function start(name, path) {
  const before = performance.now();
  // No engine answers at this address, and none is asked before a first call.
  const child = spawn(process.execPath, [join(path, `pulumi-resource-${name}`), "127.0.0.1:1"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise((done) => child.once("exit", done));
  await new Promise((done, failed) => {
    createInterface({ input: child.stdout }).once("line", done);
    child.once("exit", (code) => failed(new Error(`the plugin ${name} ended with ${code}`)));
  });
  const milliseconds = performance.now() - before;
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  child.kill("SIGTERM");
  await ended;
  return { milliseconds, megabytes: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024 };
}
