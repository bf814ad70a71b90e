import { existsSync, readFileSync, statSync } from "node:fs";
import { type Deployment, saltOf } from "../../../engine/backend/checkpoint";
import { openDirectory } from "../../../engine/backend/directory";
import { createProvider, openProvider, type SecretsProvider } from "../../../engine/backend/passphrase";
import { StackStore } from "../../../engine/backend/store";
import { StackUpdate } from "../../../engine/backend/update";
import type { ResourceState, Snapshot } from "../../../engine/state/resource";
import { Secret } from "../../../engine/state/values";
import { copyOfRecordedState, PASSPHRASE, temporaryFolder } from "../recorded";

const dev = { project: "harbour", name: "dev" };

const resource = (name: string, secret = `secret of ${name}`): ResourceState => ({
  urn: `urn:pulumi:dev::harbour::t::${name}`,
  type: "t",
  custom: true,
  id: name,
  inputs: { secret: new Secret(secret) },
});

const snapshot = (...resources: ResourceState[]): Snapshot => ({ resources, pendingOperations: [] });

let provider: SecretsProvider;
beforeAll(async () => {
  provider = await createProvider("p");
});

function newStack(): StackStore {
  const store = new StackStore(openDirectory(`file://${temporaryFolder()}`, "/"));
  store.create(dev, { secrets_providers: { type: "passphrase", state: { salt: provider.salt } } });
  return store;
}

const open = (store: StackStore) => StackUpdate.open(store, dev, { reading: provider, writing: provider });

const latest = (store: StackStore): Deployment => JSON.parse(store.checkpointText(dev)).checkpoint.latest;

test("a step is stored when `save` returns, before its promise is awaited", () => {
  const store = newStack();
  void open(store).save(snapshot(resource("a")));
  expect(open(store).snapshot.resources).toEqual([resource("a")]);
});

test("each saved state can be read by another process immediately", async () => {
  const store = newStack();
  const update = open(store);
  const [a, b] = [resource("a"), resource("b")];
  const changed = { ...a, id: "changed" };
  for (const resources of [[a], [a, b], [changed, b], [b, changed], [b], []]) {
    await update.save(snapshot(...resources));
    expect(open(store).snapshot.resources).toEqual(resources);
  }
});

test("pending operations are stored with their secrets, which the journal contains only encrypted", async () => {
  const store = newStack();
  const pendingOperations = [{ resource: resource("a"), type: "creating" as const }];
  await open(store).save({ resources: [], pendingOperations });
  expect(open(store).snapshot.pendingOperations).toEqual(pendingOperations);
  expect(readFileSync(store.paths(dev).journal, "utf8")).not.toContain("secret of a");
});

test("`finish` writes all resources into the checkpoint and removes the journal", async () => {
  const store = newStack();
  const update = open(store);
  await update.save(snapshot(resource("a"), resource("b")));
  update.finish();
  expect(existsSync(store.paths(dev).journal)).toBe(false);
  expect(latest(store).resources).toHaveLength(2);
  expect(store.checkpointText(dev)).not.toContain("secret of a");
});

test("an update after an interrupted update starts from its last step", async () => {
  const store = newStack();
  await open(store).save(snapshot(resource("a")));
  const next = open(store);
  await next.save(snapshot(...next.snapshot.resources, resource("b")));
  next.finish();
  expect(open(store).snapshot.resources).toEqual([resource("a"), resource("b")]);
});

test("an update that saves nothing keeps the last step of an interrupted update", async () => {
  const store = newStack();
  await open(store).save(snapshot(resource("a")));
  open(store).finish();
  expect(latest(store).resources).toHaveLength(1);
  expect(existsSync(store.paths(dev).journal)).toBe(false);
});

test("each step writes only what it changed: the journal of 1000 steps is smaller than two checkpoints", async () => {
  const store = newStack();
  const update = open(store);
  const resources: ResourceState[] = [];
  for (let index = 0; index < 1000; index++) {
    resources.push(resource(`r${index}`));
    await update.save(snapshot(...resources));
  }
  const { size } = statSync(store.paths(dev).journal);
  update.finish();
  expect(size).toBeLessThan(2 * statSync(store.paths(dev).checkpoint).size);
});

test("an unchanged secret keeps the ciphertext that the CLI wrote", async () => {
  const store = new StackStore(copyOfRecordedState());
  const before = latest(store);
  const cli = await openProvider(saltOf(before) ?? "", PASSPHRASE);
  const update = StackUpdate.open(store, dev, { reading: cli, writing: cli });
  const { resources } = update.snapshot;
  const copies = resources.map((state) => ({
    ...state,
    ...(state.inputs && { inputs: { ...state.inputs } }),
  }));
  await update.save(snapshot(...copies));
  update.finish();
  expect(latest(store).resources).toEqual(before.resources);
});

test("an update with a different secrets provider encrypts the stack with that provider", async () => {
  const store = newStack();
  const first = open(store);
  await first.save(snapshot(resource("a")));
  first.finish();
  const other = await createProvider("another passphrase");
  StackUpdate.open(store, dev, { reading: provider, writing: other }).finish();
  expect(latest(store).secrets_providers?.state).toEqual({ salt: other.salt });
  expect(StackUpdate.open(store, dev, { reading: other, writing: other }).snapshot.resources).toEqual([
    resource("a"),
  ]);
});

test("after an interrupted change of the secrets provider the new provider can read all resources", async () => {
  const store = newStack();
  const first = open(store);
  await first.save(snapshot(resource("a")));
  first.finish();
  const other = await createProvider("another passphrase");
  const changing = StackUpdate.open(store, dev, { reading: provider, writing: other });
  await changing.save(snapshot(...changing.snapshot.resources, resource("b")));
  expect(store.read(dev).secrets_providers?.state).toEqual({ salt: other.salt });
  expect(StackUpdate.open(store, dev, { reading: other, writing: other }).snapshot.resources).toEqual([
    resource("a"),
    resource("b"),
  ]);
});
