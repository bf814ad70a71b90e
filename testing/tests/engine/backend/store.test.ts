import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Deployment } from "../../../engine/backend/checkpoint";
import { openDirectory } from "../../../engine/backend/directory";
import { addToHistory, readHistory, type UpdateRecord } from "../../../engine/backend/history";
import { Journal } from "../../../engine/backend/journal";
import { parseReference } from "../../../engine/backend/reference";
import { StackStore } from "../../../engine/backend/store";
import { copyOfRecordedState, FIXTURES, temporaryFolder } from "../recorded";

const dev = { project: "harbour", name: "dev" };

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

const withoutTimes = (files: readonly string[]) => files.map((file) => file.replace(/\d{19}/, "<time>"));

const update: UpdateRecord = {
  kind: "update",
  startTime: 1,
  message: "",
  environment: {},
  config: {},
  result: "succeeded",
  endTime: 2,
  version: 0,
};

function newStore(): StackStore {
  return new StackStore(openDirectory(`file://${temporaryFolder()}`, "/"));
}

/** A stack whose update was killed after one step. */
function interrupted(): { store: StackStore; journal: Journal; path: string } {
  const store = newStore();
  store.create(dev, {});
  const path = store.paths(dev).journal;
  const journal = new Journal(path, store.checkpointText(dev));
  journal.append({ at: 0, removed: 0, inserted: [{ urn: "u", type: "t" }], pending: [] });
  return { store, journal, path };
}

describe("backend directory", () => {
  test("contains the same files as the CLI's after a first update", () => {
    const store = newStore();
    store.create(dev, {});
    store.write(dev, store.read(dev));
    addToHistory(store, dev, update);
    expect(withoutTimes(filesIn(join(store.directory, ".pulumi")))).toEqual(
      withoutTimes(filesIn(join(FIXTURES, "state", "backend"))),
    );
  });

  test("contains an .attrs file with the MD5 digest of the checkpoint", () => {
    const store = newStore();
    store.create(dev, {});
    const { checkpoint } = store.paths(dev);
    const attributes = JSON.parse(readFileSync(`${checkpoint}.attrs`, "utf8"));
    expect(attributes.md5).toBe(createHash("md5").update(readFileSync(checkpoint)).digest("base64"));
    const recorded = readFileSync(join(FIXTURES, "state/backend/stacks/harbour/dev.json.attrs"), "utf8");
    expect(Object.keys(attributes)).toEqual(Object.keys(JSON.parse(recorded)));
  });

  test("contains no temporary files after a stack is created", () => {
    const store = newStore();
    store.create(dev, {});
    expect(filesIn(store.directory).filter((file) => file.endsWith(".tmp"))).toEqual([]);
  });

  test("is rejected if its stacks are not in folders of their projects", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, ".pulumi", "stacks"), { recursive: true });
    expect(() => openDirectory(`file://${folder}`, "/")).toThrow("state of before projects had folders");
  });

  test("is rejected if its version is newer", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, ".pulumi"));
    writeFileSync(join(folder, ".pulumi", "meta.yaml"), "version: 2\n");
    expect(() => openDirectory(`file://${folder}`, "/")).toThrow("'meta.yaml' version (2) is not supported");
  });

  test("is rejected if its URL is not a file URL", () => {
    expect(() => openDirectory("s3://bucket", "/")).toThrow("does not serve the backend s3://bucket");
  });

  test("is resolved from a relative URL, and must exist", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "here"));
    expect(openDirectory("file://./here", folder)).toBe(join(folder, "here"));
    expect(() => openDirectory("file://./there", folder)).toThrow("is not a folder");
  });
});

describe("stacks of the store", () => {
  test("lists and reads a stack of the CLI", () => {
    const store = new StackStore(copyOfRecordedState());
    expect(store.list()).toEqual([dev]);
    expect(store.read(dev).resources).toHaveLength(4);
  });

  test("rejects the creation of an existing stack with the CLI's message", () => {
    const store = newStore();
    store.create(dev, {});
    expect(() => store.create(dev, {})).toThrow(/^stack 'organization\/harbour\/dev' already exists$/);
  });

  test("a read of an unknown stack throws the CLI's message and exit code", () => {
    expect(() => newStore().read(dev)).toThrow(
      expect.objectContaining({ message: "no stack named 'dev' found", exitCode: 6 }),
    );
  });

  test("a write stores the previous checkpoint as a backup", () => {
    const store = newStore();
    store.create(dev, {});
    const before = store.checkpointText(dev);
    store.write(dev, { ...store.read(dev), metadata: { changed: true } });
    expect(readFileSync(store.paths(dev).previous, "utf8")).toBe(before);
  });

  test("removes a stack with resources only with `force`, and keeps its backups", () => {
    const store = new StackStore(copyOfRecordedState());
    const options = { force: false, backups: false, name: "dev" };
    expect(() => store.remove(dev, options)).toThrow("'dev' still has resources; removal rejected");
    expect(store.exists(dev)).toBe(true);
    store.remove(dev, { ...options, force: true });
    expect(store.exists(dev)).toBe(false);
    expect(withoutTimes(filesIn(join(store.directory, ".pulumi")))).toEqual([
      "backups/harbour/dev/dev.<time>.json",
      "backups/harbour/dev/dev.<time>.json.attrs",
      "meta.yaml",
      "meta.yaml.attrs",
      "stacks/harbour/dev.json.bak",
      "stacks/harbour/dev.json.bak.attrs",
    ]);
  });

  test("removes the backups of a stack if `backups` is true", () => {
    const store = new StackStore(copyOfRecordedState());
    store.remove(dev, { force: true, backups: true, name: "dev" });
    expect(filesIn(join(store.directory, ".pulumi"))).toEqual(["meta.yaml", "meta.yaml.attrs"]);
  });

  test.each([
    ["dev", dev],
    ["organization/dev", dev],
    ["organization/other/dev", { project: "other", name: "dev" }],
  ])("accepts the stack reference %s", (text, reference) => {
    expect(parseReference(text, "harbour")).toEqual(reference);
  });

  test.each([
    ["", "must not be empty"],
    ["somebody/dev", "organization name must be 'organization'"],
    ["../dev", "organization name must be 'organization'"],
    ["organization/harbour/..%2f", "invalid character"],
    ["a b", "invalid character"],
  ])("rejects the stack reference '%s'", (text, reason) => {
    expect(() => parseReference(text, "harbour")).toThrow(reason);
  });
});

describe("an interrupted update", () => {
  const step = [{ urn: "u", type: "t" }];

  test("is read with its last step, and the read keeps the journal", () => {
    const { store, path } = interrupted();
    expect(store.read(dev).resources).toEqual(step);
    expect(existsSync(path)).toBe(true);
  });

  test("`fold` moves its steps from the journal into the checkpoint, where the CLI reads them", () => {
    const { store, path } = interrupted();
    store.fold(dev);
    expect(existsSync(path)).toBe(false);
    const { checkpoint }: { checkpoint: { latest: Deployment } } = JSON.parse(store.checkpointText(dev));
    expect(checkpoint.latest.resources).toEqual(step);
  });

  test("`cancel` folds its steps into the checkpoint and removes its lock", () => {
    const { store, path } = interrupted();
    store.lock(dev);
    store.cancel(dev);
    expect(existsSync(path)).toBe(false);
    expect(store.read(dev).resources).toEqual(step);
    store.lock(dev).release();
  });

  test("loses no step if it ends after it wrote the checkpoint and before it removed the journal", () => {
    const { store, journal, path } = interrupted();
    const deployment = store.read(dev);
    const left = readFileSync(path, "utf8");
    let concluded = "";
    store.write(dev, deployment, (checkpoint) => {
      journal.conclude(checkpoint);
      concluded = readFileSync(path, "utf8");
    });
    expect(concluded.startsWith(left)).toBe(true);
    writeFileSync(path, concluded);
    expect(store.read(dev).resources).toEqual(step);
  });

  test("loses no step if it ends before it writes the new checkpoint", () => {
    const { store, journal } = interrupted();
    journal.conclude("a checkpoint that never came");
    expect(store.read(dev).resources).toEqual(step);
  });
});

describe("update history", () => {
  test("reads the history of the CLI", () => {
    const store = new StackStore(copyOfRecordedState());
    expect(readHistory(store, dev, { pageSize: 10, page: 1 })).toMatchObject([
      { kind: "update", result: "succeeded", version: 0, resourceChanges: { create: 3 } },
    ]);
  });

  test("returns the latest update first, in pages", () => {
    const store = newStore();
    store.create(dev, {});
    for (const message of ["a", "b", "c"]) addToHistory(store, dev, { ...update, message });
    const messages = (pageSize: number, page: number) =>
      readHistory(store, dev, { pageSize, page }).map((record) => record.message);
    expect(messages(2, 1)).toEqual(["c", "b"]);
    expect(messages(2, 2)).toEqual(["a"]);
    expect(messages(0, 1)).toEqual(["c", "b", "a"]);
    expect(messages(2, 3)).toEqual([]);
  });

  test("is empty for a stack that was never updated", () => {
    const store = newStore();
    store.create(dev, {});
    expect(readHistory(store, dev, { pageSize: 10, page: 1 })).toEqual([]);
  });
});
