import fc from "fast-check";
import { resourcesIn, type StackResource, UnreadableState } from "../../cli/state/deployment";
import { elementRanges } from "../../cli/state/elements";

const PATH = ["deployment", "resources"];

/** Names and strings that could be mistaken for the list or its end. */
const odd = fc.constantFrom("deployment", "resources", "]", "}", '"', "\\", '\\"', "[{", ",", "\u2028", "é");
const text = fc.oneof(odd, fc.string({ unit: "binary" }));
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(text, fc.double({ noNaN: true }), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(text, tie("value"), { maxKeys: 4 }),
  ),
}));
const states = fc.record(
  {
    before: value,
    deployment: fc.record(
      { manifest: value, resources: fc.array(value, { maxLength: 5 }), pending: value },
      { requiredKeys: [] },
    ),
    after: value,
  },
  { requiredKeys: ["deployment"] },
);
const written = fc.tuple(states, fc.constantFrom(undefined, 1, "\t", "\n \r"));

/** The value of a JSON text, parsed element by element. */
function joined(json: string): unknown {
  const bytes = Buffer.from(json);
  const found = elementRanges(bytes, PATH);
  const whole = JSON.parse(found?.rest ?? json);
  if (found === undefined) return whole;
  const resources = found.spans.map(({ start, end }) => JSON.parse(bytes.toString("utf8", start, end)));
  return { ...whole, deployment: { ...whole.deployment, resources } };
}

test("a state that is parsed element by element equals the state", () => {
  fc.assert(
    fc.property(written, ([state, space]) => {
      const json = JSON.stringify(state, undefined, space);
      expect(joined(json)).toEqual(JSON.parse(json));
      expect(elementRanges(Buffer.from(json), PATH)?.spans.length).toBe(state.deployment.resources?.length);
    }),
    { numRuns: 500 },
  );
});

test("a state with random edits throws a SyntaxError exactly if it is no longer valid JSON", () => {
  const edits = fc.tuple(
    written,
    fc.nat(),
    fc.nat({ max: 3 }),
    fc.constantFrom("", ",", "]", "}", '"', "0", "\\", "x"),
  );
  fc.assert(
    fc.property(edits, ([[state, space], at, removed, put]) => {
      const json = JSON.stringify(state, undefined, space);
      const from = at % (json.length + 1);
      const edited = json.slice(0, from) + put + json.slice(from + removed);
      let isJson = true;
      try {
        JSON.parse(edited);
      } catch {
        isJson = false;
      }
      if (isJson) expect(() => joined(edited)).not.toThrow();
      else expect(() => joined(edited)).toThrow(SyntaxError);
    }),
    { numRuns: 2000 },
  );
});

describe("resourcesIn", () => {
  const mark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
  const one = (outputs: object, more: object = {}) => ({
    urn: "urn:pulumi:dev::app::quarterdeck:scheduler:Job::web",
    type: "quarterdeck:scheduler:Job",
    id: "default/web",
    inputs: { json: { ID: "web" } },
    outputs,
    ...more,
  });
  const state = (...resources: readonly object[]) => JSON.stringify({ deployment: { resources } });

  test("unwraps the secrets of outputs on access, with the same result each time", () => {
    const [held] = resourcesIn(state(one({ token: { ...mark, plaintext: '"sesame"' } })));
    expect(held?.outputs).toEqual({ token: "sesame" });
    expect(held?.outputs).toEqual({ token: "sesame" });
    expect(held?.inputs).toEqual({ json: { ID: "web" } });
    expect(held).toMatchObject({ name: "web", id: "default/web", isExternal: false, ignored: [] });
  });

  test("returns the same resources for a string and for bytes at any offset", () => {
    const json = state(one({ token: "söße…" }));
    const bytes = Buffer.from(`  ${json}`).subarray(2);
    const parts = ({ urn, id, inputs, outputs }: StackResource) => ({ urn, id, inputs, outputs });
    expect(resourcesIn(bytes).map(parts)).toEqual(resourcesIn(json).map(parts));
    expect(resourcesIn(new Uint8Array(bytes))[0]?.outputs).toEqual({ token: "söße…" });
  });

  test("omits a resource that is pending deletion", () => {
    expect(resourcesIn(state(one({}, { delete: true })))).toEqual([]);
  });

  test("throws UnreadableState if a secret is encrypted", () => {
    const whole = one({});
    const encrypted = one({ token: { ...mark, ciphertext: "v1:…" } });
    expect(() => resourcesIn(state(whole, encrypted))).toThrow(UnreadableState);
  });

  test.each([
    "",
    "[]",
    "{}",
    "null",
    '{"deployment":{"resources":{}}}',
    '{"deployment":{"resources":[1,]}}',
    '{"deployment":{"resources":[{}',
  ])("throws UnreadableState for %j", (json) => {
    expect(() => resourcesIn(json)).toThrow(UnreadableState);
  });
});
