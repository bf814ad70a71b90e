// What the steps of one large job cost this process alone: milliseconds of its own time, the best of some tries.
const { openResource, stateOf } = require("./resource.cjs");

const TRIES = 5;

/** The steps of a job that is JSON text with so many keys, at a stub with these settings. */
exports.measureLargeJob = async (keys, settings) => {
  const job = openResource("scheduler:Job", settings);
  const best = {};
  for (let number = 0; number < TRIES; number++) {
    const written = (value) => ({ json: textOf(`large-${number}`, keys, value), namespace: "default" });
    const timed = async (step, run) => {
      const before = process.cpuUsage();
      const result = await run();
      const { user, system } = process.cpuUsage(before);
      best[step] = Math.min(best[step] ?? Number.POSITIVE_INFINITY, (user + system) / 1000);
      return result;
    };
    const { failures } = await timed("check", () => job.check({}, written("a")));
    const { id, outs } = await timed("create", () => job.create(written("a")));
    const olds = stateOf(outs);
    const { changes } = await timed("diff", () => job.diff(id, olds, written("b")));
    if (failures.length > 0 || !changes) throw new Error("a large job was not compared");
    await job.delete(id, olds);
  }
  return best;
};

/** Another text each time: what was read of one is remembered. */
function textOf(id, keys, value) {
  const Meta = Object.fromEntries(Array.from({ length: keys }, (_, number) => [`key${number}`, value]));
  const Tasks = [{ Name: "server", Driver: "docker" }];
  return JSON.stringify({ ID: id, TaskGroups: [{ Name: "front", Count: 1, Tasks }], Meta });
}
