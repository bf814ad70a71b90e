import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import { rounds } from "../rounds";
import { Conventional, engineSaying, kind, Light, type Said, tellingOf } from "./twins";

const SECRET = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const URN = "urn:pulumi:stack::project::harbour:Crane::";

const { value: wire } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>("", "seven", 7, true, null, UNKNOWN),
    fc.record({ value: tie("value") }).map(({ value }) => ({ ...SECRET, value })),
    fc.array(tie("value"), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom("then", "apply", "__x", "inner"), tie("value"), { maxKeys: 2 }),
  ),
}));

const properties = [...kind.inputs, ...kind.outputs];
const plain = fc.constantFrom<unknown>("text", 7, null, { Combination: "7-7" });

const said: fc.Arbitrary<Said> = fc.record({
  object: fc.dictionary(fc.constantFrom(...properties, "other"), wire),
  dependencies: fc.dictionary(
    fc.constantFrom(...properties),
    fc.array(fc.constantFrom(`${URN}a`, `${URN}b`), { maxLength: 2 }),
  ),
  unknown: fc.boolean(),
});

const programs = fc.record({
  said,
  written: fc.dictionary(fc.constantFrom(...kind.inputs, "misspelt"), plain),
  preview: fc.boolean(),
  isRead: fc.boolean(),
});

afterEach(() => pulumi.runtime.disconnect());

describe("outputs that are made when they are read", () => {
  it("say what conventional ones say: value, known, secret, dependencies", async () => {
    await fc.assert(
      fc.asyncProperty(programs, async ({ said, written, preview, isRead }) => {
        await engineSaying(said, preview);
        const opts = isRead ? { id: "harbour/7" } : {};
        const light = new Light("quay", written, opts);
        const conventional = new Conventional("quay", written, opts);
        expect(new Set(Object.keys(light)).add("id").add("urn")).toEqual(new Set(Object.keys(conventional)));
        // What the id says in a preview is more than the engine says of an output; it has tests of its own.
        for (const name of properties.filter((one) => !(preview && one in (kind.idSegments ?? {})))) {
          expect(await tellingOf(light, name)).toEqual(await tellingOf(conventional, name));
        }
      }),
      { numRuns: rounds(400, 120) },
    );
  });

  it("cost nothing until then: no answer is read for a property that nobody reads", async () => {
    await engineSaying({ object: { depth: 7 }, dependencies: {}, unknown: false }, false);
    const made = jest.spyOn(pulumi.runtime, "deserializeProperty");
    const light = new Light("quay", { name: "seven", tags: undefined });
    await light.urn.apply(() => undefined);
    expect(made).not.toHaveBeenCalled();
    await tellingOf(light, "depth");
    expect(made).toHaveBeenCalledTimes(1);
    expect(Object.keys(light)).toEqual(expect.arrayContaining(properties));
    made.mockRestore();
  });

  it("lift what is in their value, and are one and the same output however often they are read", async () => {
    await engineSaying({ object: { depth: { metres: 7 } }, dependencies: {}, unknown: false }, false);
    const light = new Light("quay", {}) as Light & { readonly depth: pulumi.Output<{ metres: number }> };
    const { depth } = light;
    expect(await said7(depth.metres)).toBe(7);
    expect(Reflect.get(depth, "then")).toBeUndefined();
    expect(Reflect.get(depth, "__pulumiResource")).toBeUndefined();
    expect(depth).toBe(light.depth);
    expect("apply" in depth).toBe(true);
    expect(Object.isFrozen(Object.freeze(depth))).toBe(true);
    expect(await said7(depth.metres)).toBe(7);
  });

  it("have an output's members before anybody has asked for one of them", async () => {
    await engineSaying({ object: { depth: 7 }, dependencies: {}, unknown: false }, false);
    const conventional = new Conventional("quay", {});
    const depthOf = (made: object): object => Reflect.get(made, "depth");
    for (const ask of [
      Reflect.ownKeys,
      (one: object) => Object.keys(Object.getOwnPropertyDescriptors(one)),
    ]) {
      expect(ask(depthOf(new Light("quay", {})))).toEqual(ask(depthOf(conventional)));
    }
  });

  it("say what their own run said, also where they are read when another one runs", async () => {
    const said = { object: { depth: UNKNOWN, tags: [UNKNOWN] }, dependencies: {}, unknown: false };
    await engineSaying(said, true);
    const [light, conventional] = [new Light("quay", {}), new Conventional("quay", {})];
    await Promise.all(["depth", "tags", "plan"].map((name) => tellingOf(conventional, name)));
    await engineSaying(said, false);
    for (const name of ["depth", "tags", "plan"]) {
      expect(await tellingOf(light, name)).toEqual(await tellingOf(conventional, name));
    }
  });

  it("are captured by closures as values, and refused there when they are secret", async () => {
    const object = { depth: 7, quayId: { ...SECRET, value: "canary" } };
    await engineSaying({ object, dependencies: {}, unknown: false }, false);
    const texts = async (made: pulumi.CustomResource, name: string) => {
      const output = Reflect.get(made, name) as pulumi.Output<unknown>;
      return pulumi.runtime
        .serializeFunction(() => output.get())
        .then(
          ({ text }) => text,
          (error: Error) => String(error).replaceAll(/lightOutputs[^\n]*/g, ""),
        );
    };
    const light = new Light("quay", {});
    const conventional = new Conventional("quay", {});
    expect(await texts(light, "depth")).toEqual(await texts(conventional, "depth"));
    expect(await texts(light, "quayId")).toEqual(await texts(conventional, "quayId"));
    expect(await texts(light, "quayId")).not.toContain("canary");
  });

  it("are each resource's own where two have one name, as with mocks", async () => {
    const depths = [7, 8];
    const state = () => ({ depth: depths.shift() });
    await pulumi.runtime.setMocks({
      call: () => ({}),
      newResource: ({ name }) => ({ id: name, state: state() }),
    });
    const [first, second] = [new Light("quay", {}), new Light("quay", {})];
    const told = async (one: object) => (await tellingOf(one, "depth")).said[0];
    expect(await told(second)).toEqual({ value: 8 });
    expect(await told(first)).toEqual({ value: 7 });
  });

  it("are conventional where a transformation may see the properties, its parents' too", async () => {
    await engineSaying({ object: { depth: 7 }, dependencies: {}, unknown: false }, false);
    const seen: string[][] = [];
    const transformations: pulumi.ResourceTransformation[] = [
      ({ props, opts }) => {
        seen.push(Object.keys(props));
        return { props: { ...props, depth: 8 }, opts: { ...opts, additionalSecretOutputs: ["tags"] } };
      },
    ];
    const parent = new pulumi.ComponentResource("harbour:index:Harbour", "harbour", {}, { transformations });
    for (const opts of [{ transformations }, { parent }]) {
      seen.length = 0;
      const made = new Light("quay", {}, opts);
      expect(seen[0]).toEqual(expect.arrayContaining(properties));
      expect((await tellingOf(made, "depth")).said[0]).toEqual({ value: 7 });
    }
  });
});

const said7 = (output: pulumi.Output<unknown>) => new Promise((resolve) => output.apply(resolve));
