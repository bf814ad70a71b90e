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

describe("deletionRounds", () => {
  const rounds = (order: readonly Entry[]) =>
    deletionRounds(
      order.map((old) => ({ old })),
      order,
    ).map((round) => names(round.map(({ old }) => old)));

  test("deletes dependents in earlier rounds than their dependencies", () => {
    const order = [entry("a"), entry("b", ["a"]), entry("c", ["a"]), entry("d", ["b"]), entry("e")];
    expect(rounds(order)).toEqual([["d"], ["b", "c"], ["a", "e"]]);
  });

  test("deletes children before their parents", () => {
    expect(rounds([entry("parent"), entry("child", [], { parent: urn("parent") })])).toEqual([
      ["child"],
      ["parent"],
    ]);
  });

  test("deletes a dependent of a component before the children of that component", () => {
    const order = [
      entry("component", [], { custom: false }),
      entry("inside", [], { parent: urn("component") }),
      entry("user", ["component"]),
    ];
    expect(rounds(order)).toEqual([["user"], ["inside"], ["component"]]);
  });
});

test("`dependents` follows dependencies, property dependencies and deletedWith, and optionally children", () => {
  const root = entry("root");
  const base = new Base([
    root,
    entry("direct", ["root"]),
    entry("property", [], { propertyDependencies: { value: [urn("direct")] } }),
    entry("with", [], { deletedWith: urn("property") }),
    entry("child", [], { parent: urn("root") }),
    entry("unrelated"),
  ]);
  expect(names(base.dependents(root, { children: false }))).toEqual(["direct", "property", "with"]);
  expect(names(base.dependents(root, { children: true }))).toEqual(["direct", "property", "with", "child"]);
  expect(names(base.dependents(root, { children: false, ignored: (one) => one === urn("direct") }))).toEqual(
    [],
  );
});

test("`dependenciesOf` returns direct and indirect dependencies and parents", () => {
  const user = entry("user", ["direct"], { parent: urn("component") });
  const base = new Base([
    entry("component", [], { custom: false }),
    entry("indirect"),
    entry("direct", ["indirect"]),
    user,
    entry("dependent", ["user"]),
    entry("unrelated"),
  ]);
  expect(names([...base.dependenciesOf([user])]).sort()).toEqual(["component", "direct", "indirect"]);
});

test("targets match URNs and globs: `*` matches inside one part, `**` across parts", () => {
  const targets = new Targets([urn("one"), "urn:pulumi:dev::tests::*::th*", "**::wild"]);
  expect(targets.has(urn("one"))).toBe(true);
  expect(targets.has("urn:pulumi:dev::tests::plain::three")).toBe(true);
  expect(targets.has(urn("three"))).toBe(false);
  expect(targets.has(urn("wild"))).toBe(true);
  expect(targets.has(urn("two"))).toBe(false);
  expect(targets.named).toEqual([urn("one")]);
  expect(new Targets([]).has(urn("anything"))).toBe(true);
});

describe("Ledger", () => {
  const snapshot: Snapshot = {
    resources: [entry("a").state, entry("b", ["a"]).state],
    pendingOperations: [],
  };

  test("its snapshot lists processed resources before unprocessed ones", () => {
    const ledger = new Ledger(snapshot, async () => {});
    const [a] = ledger.base.entries;
    if (!a) throw new Error("the ledger has no base entry");
    const updated = new Entry({ ...a.state, outputs: { new: true } });
    ledger.drop(a);
    ledger.add(entry("c"));
    ledger.add(updated);
    expect(ledger.snapshot().resources.map(({ id }) => id)).toEqual(["c", "a", "b"]);
  });

  test("combines all saves that are requested during a save into one save", async () => {
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

  test("keeps interrupted creations as pending operations, and drops other interrupted operations", () => {
    const pendingOperations = (["creating", "updating", "deleting"] as const).map((type) => ({
      resource: entry(type).state,
      type,
    }));
    const ledger = new Ledger({ ...snapshot, pendingOperations }, async () => {});
    expect(ledger.snapshot().pendingOperations.map(({ type }) => type)).toEqual(["creating"]);
  });

  test("updates references to a renamed resource, including the URNs of its children", () => {
    const child = "urn:pulumi:dev::tests::tests:index:Thing$tests:index:Part::child";
    const ledger = new Ledger(snapshot, async () => {});
    const [a] = ledger.base.entries;
    if (!a) throw new Error("the ledger has no base entry");
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
