import * as pulumi from "@pulumi/pulumi";
import fc from "fast-check";
import { rounds } from "../rounds";
import { Conventional, describeOutput, type EngineResponse, kind, Light, mockEngine } from "./outputVariants";

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

const response: fc.Arbitrary<EngineResponse> = fc.record({
  object: fc.dictionary(fc.constantFrom(...properties, "other"), wire),
  dependencies: fc.dictionary(
    fc.constantFrom(...properties),
    fc.array(fc.constantFrom(`${URN}a`, `${URN}b`), { maxLength: 2 }),
  ),
  unknown: fc.boolean(),
});

const programs = fc.record({
  response,
  written: fc.dictionary(fc.constantFrom(...kind.inputs, "misspelled"), plain),
  preview: fc.boolean(),
  isRead: fc.boolean(),
});

afterEach(() => pulumi.runtime.disconnect());

describe("outputs that are created when they are read", () => {
  it("have the same value, known flag, secret flag and dependencies as conventional outputs", async () => {
    await fc.assert(
      fc.asyncProperty(programs, async ({ response, written, preview, isRead }) => {
        await mockEngine(response, preview);
        const opts = isRead ? { id: "harbour/7" } : {};
        const light = new Light("quay", written, opts);
        const conventional = new Conventional("quay", written, opts);
        expect(new Set(Object.keys(light)).add("id").add("urn")).toEqual(new Set(Object.keys(conventional)));
        // In a preview, outputs from the ID are known, unlike those of the engine. Other tests cover them.
        for (const name of properties.filter((one) => !(preview && one in (kind.idSegments ?? {})))) {
          expect(await describeOutput(light, name)).toEqual(await describeOutput(conventional, name));
        }
      }),
      { numRuns: rounds(400, 120) },
    );
  });

  it("deserialize no property that is not read", async () => {
    await mockEngine({ object: { depth: 7 }, dependencies: {}, unknown: false }, false);
    const made = jest.spyOn(pulumi.runtime, "deserializeProperty");
    const light = new Light("quay", { name: "seven", tags: undefined });
    await light.urn.apply(() => undefined);
    expect(made).not.toHaveBeenCalled();
    await describeOutput(light, "depth");
    expect(made).toHaveBeenCalledTimes(1);
    expect(Object.keys(light)).toEqual(expect.arrayContaining(properties));
    made.mockRestore();
  });

  it("lift members of their value, and are the same output at every read", async () => {
    await mockEngine({ object: { depth: { meters: 7 } }, dependencies: {}, unknown: false }, false);
    const light = new Light("quay", {}) as Light & { readonly depth: pulumi.Output<{ meters: number }> };
    const { depth } = light;
    expect(await valueIn(depth.meters)).toBe(7);
    expect(Reflect.get(depth, "then")).toBeUndefined();
    expect(Reflect.get(depth, "__pulumiResource")).toBeUndefined();
    expect(depth).toBe(light.depth);
    expect("apply" in depth).toBe(true);
    expect(Object.isFrozen(Object.freeze(depth))).toBe(true);
    expect(await valueIn(depth.meters)).toBe(7);
  });

  it("have the members of an output before any of them is read", async () => {
    await mockEngine({ object: { depth: 7 }, dependencies: {}, unknown: false }, false);
    const conventional = new Conventional("quay", {});
    const depthOf = (made: object): object => Reflect.get(made, "depth");
    for (const ask of [
      Reflect.ownKeys,
      (one: object) => Object.keys(Object.getOwnPropertyDescriptors(one)),
    ]) {
      expect(ask(depthOf(new Light("quay", {})))).toEqual(ask(depthOf(conventional)));
    }
  });

  it("have the values of their own run even if they are read during another run", async () => {
    const response = { object: { depth: UNKNOWN, tags: [UNKNOWN] }, dependencies: {}, unknown: false };
    await mockEngine(response, true);
    const [light, conventional] = [new Light("quay", {}), new Conventional("quay", {})];
    await Promise.all(["depth", "tags", "plan"].map((name) => describeOutput(conventional, name)));
    await mockEngine(response, false);
    for (const name of ["depth", "tags", "plan"]) {
      expect(await describeOutput(light, name)).toEqual(await describeOutput(conventional, name));
    }
  });

  it("are captured by closures as values, and rejected there if they are secret", async () => {
    const object = { depth: 7, quayId: { ...SECRET, value: "canary" } };
    await mockEngine({ object, dependencies: {}, unknown: false }, false);
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

  it("belong to their own resource if two resources have the same name", async () => {
    const depths = [7, 8];
    const state = () => ({ depth: depths.shift() });
    await pulumi.runtime.setMocks({
      call: () => ({}),
      newResource: ({ name }) => ({ id: name, state: state() }),
    });
    const [first, second] = [new Light("quay", {}), new Light("quay", {})];
    const depthIn = async (one: object) => (await describeOutput(one, "depth")).results[0];
    expect(await depthIn(second)).toEqual({ value: 8 });
    expect(await depthIn(first)).toEqual({ value: 7 });
  });

  it("are conventional if the resource or its parent has a transformation", async () => {
    await mockEngine({ object: { depth: 7 }, dependencies: {}, unknown: false }, false);
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
      expect((await describeOutput(made, "depth")).results[0]).toEqual({ value: 7 });
    }
  });
});

const valueIn = (output: pulumi.Output<unknown>) => new Promise((resolve) => output.apply(resolve));
