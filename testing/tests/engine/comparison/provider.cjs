/**
 * A dynamic provider whose service is a JSON file. The inputs control its behavior, so that a program of a
 * few lines can cause every situation that an engine must handle:
 *
 *   identity    replaces, create before delete      place       replaces, delete before create
 *   fail        the operation that throws           partial     create and update fail after half of the work
 *   invalid     a check failure with a property     reject      a check failure without a property
 *   undecided   diff returns unknown                mute        diff always returns no changes
 *   noisy       prints a line on stdout and stderr  stubborn    cannot be deleted
 *   complete    check sets a default, and keeps the default of the old inputs
 */
const { mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } = require("node:fs");

/** Runs while no other process changes the same file. Several processes can serve the providers of one program. */
function withLock(path, run) {
  const lock = `${path}.lock`;
  const until = Date.now() + 20_000;
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== "EEXIST" || Date.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
  try {
    return run();
  } finally {
    rmdirSync(lock);
  }
}

module.exports = function handler() {
  let path;
  const read = () => JSON.parse(readFileSync(path, "utf8"));
  const change = (edit) =>
    withLock(path, () => {
      const world = read();
      const result = edit(world);
      // Written atomically, because readers take no lock.
      writeFileSync(`${path}.next`, JSON.stringify(world));
      renameSync(`${path}.next`, path);
      return result;
    });
  const log = (world, name, what) => {
    world.log[name] = [...(world.log[name] ?? []), what];
  };
  const withoutProvider = ({ __provider, ...values }) => values;
  const outputs = (inputs) => ({ ...withoutProvider(inputs), computed: `computed of ${inputs.name}` });
  const incomplete = (id, inputs) =>
    Object.assign(new Error("half done"), {
      id,
      properties: outputs(inputs),
      reasons: ["the second half failed"],
    });

  return {
    configure({ config }) {
      path = config.require("world");
    },

    async check(olds, news) {
      if (news.fail === "check") throw new Error("check failed");
      const failures = [];
      if (news.invalid !== undefined) failures.push({ property: "invalid", reason: "must not be set" });
      if (news.reject !== undefined) failures.push({ property: "", reason: `rejected: ${news.reject}` });
      const completed = news.complete
        ? { ...news, size: news.size ?? olds.size ?? `default of ${news.name}` }
        : news;
      return { inputs: completed, failures };
    },

    async diff(_id, olds, news) {
      if (news.fail === "diff") throw new Error("diff failed");
      if (news.undecided) return {};
      const keys = Object.keys({ ...withoutProvider(news), ...withoutProvider(olds) }).filter(
        (key) => key !== "computed",
      );
      const changed = keys.filter((key) => JSON.stringify(olds[key]) !== JSON.stringify(news[key]));
      return {
        changes: changed.length > 0 && !news.mute,
        replaces: changed.filter((key) => key === "identity" || key === "place"),
        deleteBeforeReplace: changed.includes("place"),
      };
    },

    async create(inputs) {
      if (inputs.noisy) {
        console.log(`creating ${inputs.name}`);
        console.error(`careful with ${inputs.name}`);
      }
      if (inputs.fail === "create") throw new Error("create failed");
      const id = change((world) => {
        const id = `${inputs.name}-${(world.log[inputs.name] ?? []).length + 1}`;
        world.things[id] = withoutProvider(inputs);
        log(world, inputs.name, `create ${id}`);
        return id;
      });
      if (inputs.partial) throw incomplete(id, inputs);
      return { id, outs: outputs(inputs) };
    },

    async read(id, props) {
      if (props.fail === "read") throw new Error("read failed");
      const thing = read().things[id];
      if (!thing) return { id: "", props: {} };
      return { id, props: outputs(thing), inputs: thing };
    },

    async update(id, _olds, news) {
      if (news.fail === "update") throw new Error("update failed");
      change((world) => {
        world.things[id] = withoutProvider(news);
        log(world, news.name, `update ${id}`);
      });
      if (news.partial) throw incomplete(id, news);
      return { outs: outputs(news) };
    },

    async delete(id, props) {
      if (props.stubborn) throw new Error("delete failed");
      change((world) => {
        delete world.things[id];
        log(world, props.name, `delete ${id}`);
      });
    },
  };
};
