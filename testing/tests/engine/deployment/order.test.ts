import { Targets } from "../../../engine/deployment/decide/targets";
import { deletionRounds } from "../../../engine/deployment/phases/rounds";
import { Base } from "../../../engine/deployment/record/base";
import { Entry } from "../../../engine/deployment/record/entry";
import { Ledger } from "../../../engine/deployment/record/ledger";
import type { ResourceState, Snapshot } from "../../../engine/state/resource";

const urn = (name: string) => `urn:pulumi:dev::tests::tests:index:Thing::${name}`;

const entry = (name: string, needs: readonly string[] = [], more: Partial<ResourceState> = {}) =>
  new Entry({
    urn: urn(name),
    type: "tests:index:Thing",
    custom: true,
    id: name,
    dependencies: needs.map(urn),
    ...more,
  });

const names = (entries: readonly Entry[]) => entries.map(({ state }) => state.id);

describe("deletions", () => {
  const rounds = (order: readonly Entry[]) =>
    deletionRounds(
      order.map((old) => ({ old })),
      order,
    ).map((round) => names(round.map(({ old }) => old)));

  test("go in rounds, what is needed last", () => {
    const order = [entry("a"), entry("b", ["a"]), entry("c", ["a"]), entry("d", ["b"]), entry("e")];
    expect(rounds(order)).toEqual([["d"], ["b", "c"], ["a", "e"]]);
  });

  test("take children before their parents", () => {
    expect(rounds([entry("parent"), entry("child", [], { parent: urn("parent") })])).toEqual([
      ["child"],
      ["parent"],
    ]);
  });

  test("take what needs a component before all that is in it", () => {
    const order = [
      entry("component", [], { custom: false }),
      entry("inside", [], { parent: urn("component") }),
      entry("user", ["component"]),
    ];
    expect(rounds(order)).toEqual([["user"], ["inside"], ["component"]]);
  });
});

test("dependents are found through every kind of need", () => {
  const root = entry("root");
  const base = new Base([
    root,
    entry("direct", ["root"]),
    entry("property", [], { propertyDependencies: { value: [urn("direct")] } }),
    entry("with", [], { deletedWith: urn("property") }),
    entry("child", [], { parent: urn("root") }),
    entry("stranger"),
  ]);
  expect(names(base.dependents(root, { children: false }))).toEqual(["direct", "property", "with"]);
  expect(names(base.dependents(root, { children: true }))).toEqual(["direct", "property", "with", "child"]);
  expect(names(base.dependents(root, { children: false, ignored: (one) => one === urn("direct") }))).toEqual(
    [],
  );
});

test("what stays is found with all that it needs, parents included", () => {
  const stays = entry("stays", ["direct"], { parent: urn("component") });
  const base = new Base([
    entry("component", [], { custom: false }),
    entry("indirect"),
    entry("direct", ["indirect"]),
    stays,
    entry("user", ["stays"]),
    entry("stranger"),
  ]);
  expect(names([...base.dependenciesOf([stays])]).sort()).toEqual(["component", "direct", "indirect"]);
});

test("targets are URNs, or globs that stay within a part unless told to go on", () => {
  const targets = new Targets([urn("one"), "urn:pulumi:dev::tests::*::th*", "**::wild"]);
  expect(targets.has(urn("one"))).toBe(true);
  expect(targets.has("urn:pulumi:dev::tests::plain::three")).toBe(true);
  expect(targets.has(urn("three"))).toBe(false);
  expect(targets.has(urn("wild"))).toBe(true);
  expect(targets.has(urn("two"))).toBe(false);
  expect(targets.named).toEqual([urn("one")]);
  expect(new Targets([]).has(urn("anything"))).toBe(true);
});

describe("the ledger", () => {
  const snapshot: Snapshot = {
    resources: [entry("a").state, entry("b", ["a"]).state],
    pendingOperations: [],
  };

  test("puts what is dealt with before what is not", () => {
    const ledger = new Ledger(snapshot, async () => {});
    const [a] = ledger.base.entries;
    if (!a) throw new Error("the ledger has lost its base");
    const updated = new Entry({ ...a.state, outputs: { new: true } });
    ledger.drop(a);
    ledger.add(entry("c"));
    ledger.add(updated);
    expect(ledger.snapshot().resources.map(({ id }) => id)).toEqual(["c", "a", "b"]);
  });

  test("lets those who ask while it writes share the next writing", async () => {
    const written: number[] = [];
    const gate = Promise.withResolvers<void>();
    const ledger = new Ledger({ resources: [], pendingOperations: [] }, async ({ resources }) => {
      written.push(resources.length);
      await gate.promise;
    });
    ledger.add(entry("a"));
    const first = ledger.save();
    await Promise.resolve().then(() => Promise.resolve());
    ledger.add(entry("b"));
    const second = ledger.save();
    ledger.add(entry("c"));
    const third = ledger.save();
    gate.resolve();
    await Promise.all([first, second, third]);
    expect(written.at(-1)).toBe(3);
    expect(written.length).toBe(2);
  });

  test("keeps interrupted creations on record, and no other interrupted operation", () => {
    const pendingOperations = (["creating", "updating", "deleting"] as const).map((type) => ({
      resource: entry(type).state,
      type,
    }));
    const ledger = new Ledger({ ...snapshot, pendingOperations }, async () => {});
    expect(ledger.snapshot().pendingOperations.map(({ type }) => type)).toEqual(["creating"]);
  });

  test("has references follow a resource to its new name, children included", () => {
    const child = "urn:pulumi:dev::tests::tests:index:Thing$tests:index:Part::child";
    const ledger = new Ledger(snapshot, async () => {});
    const [a] = ledger.base.entries;
    if (!a) throw new Error("the ledger has lost its base");
    ledger.drop(a);
    const moved = "urn:pulumi:dev::tests::tests:index:Other::moved";
    ledger.add(new Entry({ ...a.state, urn: moved, type: "tests:index:Other", aliases: [a.state.urn] }));
    ledger.add(new Entry({ urn: child, type: "tests:index:Part", custom: true, parent: a.state.urn }));
    expect(
      ledger.snapshot().resources.map(({ urn: own, parent, dependencies }) => [own, parent, dependencies]),
    ).toEqual([
      [moved, undefined, []],
      ["urn:pulumi:dev::tests::tests:index:Other$tests:index:Part::child", moved, undefined],
      [urn("b"), undefined, [moved]],
    ]);
  });
});
