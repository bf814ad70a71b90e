// What the processes below this one cost while something runs: processor time, and the most memory that a provider's had
// in use. Read from /proc, so on Linux only.
const { existsSync, readdirSync, readFileSync } = require("node:fs");

/** How often the processes are looked at, in milliseconds: what one uses after its last look is not counted. */
const EVERY = 50;
/** What the kernel counts processor time in: hundredths of a second on every Linux that Node runs on. */
const TICKS = 100;
/** What a provider's command line says, and no engine's or language host's. */
const PROVIDERS = /dynamic-provider|pulumi-resource-(?:quarterdeck|nothing)|bench\/nothing|\/plugin\b/;

/**
 * Begins to watch. `stop` tells seconds of processor time of this process (`own`) and of all below it (`below`), and the
 * most megabytes of one provider's process.
 *
 * @param besides a process that is not of what is measured
 */
exports.watchProcesses = (besides) => {
  const nothing = { own: Number.NaN, below: Number.NaN, megabytes: Number.NaN };
  if (!existsSync("/proc/self/stat")) return { stop: () => nothing };
  const used = new Map();
  let peak = 0;
  const look = () => {
    for (const { pid, ticks } of processesBelow(process.pid, besides)) {
      used.set(pid, ticks);
      peak = Math.max(peak, providersMemory(pid));
    }
  };
  // What runs already is counted from now on, what starts later from its beginning.
  look();
  const already = new Map(used);
  const before = process.cpuUsage();
  const timer = setInterval(look, EVERY);
  return {
    stop() {
      look();
      clearInterval(timer);
      const { user, system } = process.cpuUsage(before);
      const ticks = [...used].reduce((sum, [pid, now]) => sum + now - (already.get(pid) ?? 0), 0);
      return { own: (user + system) / 1e6, below: ticks / TICKS, megabytes: peak / 1024 };
    },
  };
};

/** Every process below this one, at any depth, with the processor time that it has used. */
function processesBelow(root, besides) {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)));
  const children = Map.groupBy(all, ({ parent }) => parent);
  const found = [];
  const visit = (pid) => {
    for (const child of children.get(pid) ?? []) {
      if (child.pid === besides) continue;
      found.push(child);
      visit(child.pid);
    }
  };
  visit(root);
  return found;
}

/** Nothing where it has ended in between. */
function statOf(pid) {
  const text = textOf(`/proc/${pid}/stat`);
  if (text === undefined) return [];
  // The name may hold anything, so what follows is counted from its closing parenthesis.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return [{ pid, parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }];
}

/** KiB that a provider's process has had in use at most; 0 for all others. */
function providersMemory(pid) {
  if (!PROVIDERS.test(textOf(`/proc/${pid}/cmdline`) ?? "")) return 0;
  return Number(/VmHWM:\s+(\d+)/.exec(textOf(`/proc/${pid}/status`) ?? "")?.[1] ?? 0);
}

function textOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
