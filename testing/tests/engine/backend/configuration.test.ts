import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import {
  type DeclaredType,
  decryptConfig,
  refuseUndeclared,
  withDeclared,
} from "../../../engine/backend/configuration/effective";
import { compareKeys, parseKey } from "../../../engine/backend/configuration/key";
import { formatPath, parsePath } from "../../../engine/backend/configuration/path";
import { StackSettings } from "../../../engine/backend/configuration/settings";
import { coerce, getAt, removeAt, setAt, toText } from "../../../engine/backend/configuration/value";
import type { Json } from "../../../engine/json";
import { Secret } from "../../../engine/state/values";
import { temporaryFolder } from "../recorded";

describe("parsePath", () => {
  test.each<[string, (string | number)[]]>([
    ["root", ["root"]],
    ["root.nested", ["root", "nested"]],
    ["root[0]", ["root", 0]],
    ["root[0][1].x", ["root", 0, 1, "x"]],
    ['root["any name"].x', ["root", "any name", "x"]],
    ['["a.b"]["c[0]"]', ["a.b", "c[0]"]],
    ['root["with \\" in it"]', ["root", 'with " in it']],
    ["with-dash.and$", ["with-dash", "and$"]],
  ])("parses %s", (text, path) => {
    expect(parsePath(text)).toEqual(path);
  });

  test.each([
    [".a", "to start with a name or index"],
    ["a.", "to end with a name or index"],
    ["a.[0]", "expected property name after '.'"],
    ["a[0", "missing closing bracket in array index"],
    ["a[x]", "invalid array index"],
    ['a["x', "missing closing quote"],
    ['a["x"', "missing closing bracket in property access"],
  ])("rejects %s", (text, reason) => {
    expect(() => parsePath(text)).toThrow(reason);
  });

  test("parses any formatted path of names and indexes to the same path", () => {
    const step = fc.oneof(
      fc.nat(99),
      fc.string({ minLength: 1 }).filter((text) => !text.endsWith("\\")),
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 1 }), (path) => {
        expect(parsePath(formatPath(path))).toEqual(path);
      }),
    );
  });
});

describe("configuration keys", () => {
  test.each([
    ["plain", false, "harbour:plain", []],
    ["aws:region", false, "aws:region", []],
    ["aws:config:region", false, "aws:region", []],
    ["a.b", false, "harbour:a.b", []],
    ["a.b", true, "harbour:a", ["b"]],
    ["aws:a.b", true, "aws:a", ["b"]],
    ["a.b:c", true, "harbour:a", ["b:c"]],
    ['["a.b"].c', true, "harbour:a.b", ["c"]],
  ])("parseKey(%s), as a path: %s, returns %s", (text, isPath, key, path) => {
    expect(parseKey(text, "harbour", isPath)).toEqual({ key, path });
  });

  test.each([
    ["a:b:c", false, "could not parse a:b:c as a configuration key"],
    ["[0]", true, "first path segement of config key must be a string"],
    ['[""]', true, "config key is empty"],
  ])("parseKey(%s), as a path: %s, throws", (text, isPath, reason) => {
    expect(() => parseKey(text, "harbour", isPath)).toThrow(reason);
  });

  test("are sorted by namespace, then by name", () => {
    expect(["b:a", "a-b:c", "a:z", "a:b"].sort(compareKeys)).toEqual(["a:b", "a:z", "a-b:c", "b:a"]);
  });
});

describe("configuration values", () => {
  const set = (value: Json | undefined, path: string, content: Json) =>
    setAt(value, parsePath(path), content, ["k"]);

  test("setAt sets the value at the path, and creates missing maps and lists", () => {
    expect(set(undefined, "a.b", 1)).toEqual({ a: { b: 1 } });
    expect(set(undefined, "a[0].b", 1)).toEqual({ a: [{ b: 1 }] });
    expect(set({ a: { b: 1 } }, "a.c", 2)).toEqual({ a: { b: 1, c: 2 } });
    expect(set([1, 2], "[1]", 3)).toEqual([1, 3]);
    expect(set([1], "[1]", 2)).toEqual([1, 2]);
    expect(set(undefined, "[1]", 2)).toEqual([null, 2]);
  });

  test("setAt replaces a string only at the top level; deeper it throws", () => {
    expect(set("text", "a", 1)).toEqual({ a: 1 });
    expect(() => set({ a: "text" }, "a.b", 1)).toThrow("k.a: expected a map");
    expect(() => set({ a: "text" }, "a[0]", 1)).toThrow("k.a: expected an array");
  });

  test("setAt throws for an index out of range, and for a name or an index of the wrong kind", () => {
    expect(() => set([1], "[2]", 2)).toThrow("k[2]: array index out of range");
    expect(() => set([1], "a", 2)).toThrow("k.a: key for an array must be an int");
    expect(() => set({ a: 1 }, "[0]", 2)).toThrow("k[0]: key for a map must be a string");
  });

  test("setAt and removeAt throw if the result would look like a ciphertext", () => {
    expect(() => set(undefined, "secure", "text")).toThrow("reserved");
    expect(() => removeAt({ secure: "text", other: 1 }, ["other"], ["k"])).toThrow("reserved");
  });

  test("removeAt removes only the value at the path", () => {
    expect(removeAt({ a: [1, 2, 3], b: 1 }, ["a", 1], ["k"])).toEqual({ a: [1, 3], b: 1 });
    expect(removeAt({ a: { b: 1, c: 2 } }, ["a", "b"], ["k"])).toEqual({ a: { c: 2 } });
    expect(removeAt({ a: 1 }, ["nope", "deeper"], ["k"])).toEqual({ a: 1 });
  });

  test("getAt returns the value that setAt set at any path", () => {
    const step = fc.oneof(fc.constant(0), fc.stringMatching(/^[a-z]{1,3}$/));
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 5 }), fc.integer(), (path, content) => {
        expect(getAt(setAt(undefined, path, content, ["k"]), path)).toBe(content);
      }),
    );
  });

  test("coerce converts strings that look like booleans or safe integers", () => {
    expect(["true", "false", "0", "12", "-3", "007", "1.5", "x", "9007199254740993"].map(coerce)).toEqual([
      true,
      false,
      0,
      12,
      -3,
      "007",
      "1.5",
      "x",
      "9007199254740993",
    ]);
  });

  test("toText returns strings unchanged, and other values as JSON with sorted keys", () => {
    expect(toText("a<b")).toBe("a<b");
    expect(toText(true)).toBe("true");
    expect(toText({ b: [1], a: "<&>" })).toBe('{"a":"\\u003c\\u0026\\u003e","b":[1]}');
  });
});

describe("configuration of a program", () => {
  const crypter = { encrypt: (text: string) => text, decrypt: (text: string) => `decrypted ${text}` };

  test("a value is secret if any part of it is secret", () => {
    expect(decryptConfig({ "a:plain": "p", "a:deep": { x: [{ secure: "c" }] } }, crypter)).toEqual({
      "a:plain": "p",
      "a:deep": new Secret('{"x":["decrypted c"]}'),
    });
  });

  test("uses the values and defaults of the project for keys that the stack does not set", () => {
    const declared = { "p:a": { default: 5 }, "p:b": { value: { x: 1 } }, "p:c": { default: "d" } };
    expect(withDeclared({ "p:c": "own" }, declared)).toEqual({ "p:a": "5", "p:b": { x: 1 }, "p:c": "own" });
  });

  test("throws with the names of the declared keys that have no value and no default", () => {
    const declared = { "p:a": { type: "string" }, "q:b": { type: "string" } };
    expect(() => refuseUndeclared({}, declared, "dev", "p")).toThrow(
      "Stack 'dev' is missing configuration values 'a', 'q:b'",
    );
    refuseUndeclared({ "p:a": "1", "q:b": "2" }, declared, "dev", "p");
  });

  test.each<[Json, DeclaredType, string]>([
    [5, { type: "string" }, "string"],
    ["five", { type: "integer" }, "integer"],
    [true, { type: "integer" }, "integer"],
    ["yes", { type: "boolean" }, "boolean"],
    [[1], { type: "object" }, "object"],
    [["a", 1], { type: "array", items: { type: "string" } }, "array<string>"],
    ["a", { type: "array", items: { type: "array", items: { type: "string" } } }, "array<array<string>>"],
  ])("rejects %j if the project declares %j", (value, type, name) => {
    expect(() => refuseUndeclared({ "p:a": value }, { "p:a": type }, "dev", "p")).toThrow(
      `Stack 'dev' with configuration key 'a' must be of type '${name}'`,
    );
  });

  test.each<[Json, DeclaredType]>([
    ["5", { type: "string" }],
    ["5", { type: "integer" }],
    [5, { type: "integer" }],
    ["true", { type: "boolean" }],
    [{ secure: "c" }, { type: "string" }],
    [{ x: 1 }, { type: "object" }],
    [["a"], { type: "array", items: { type: "string" } }],
  ])("accepts %j if the project declares %j", (value, type) => {
    refuseUndeclared({ "p:a": value }, { "p:a": type }, "dev", "p");
  });
});

describe("settings of a stack", () => {
  function settings(text: string): { file: string; load(): StackSettings } {
    const folder = temporaryFolder();
    const file = join(folder, "Pulumi.dev.yaml");
    writeFileSync(file, text);
    return { file, load: () => StackSettings.load(folder, "dev") };
  }

  test("keep comments and the order of keys when a value changes", () => {
    const { file, load } = settings("# mine\nconfig:\n  p:b: 1 # why\n  p:a: two\nencryptionsalt: v1:x\n");
    const loaded = load();
    loaded.set("p:c", "three");
    loaded.set("p:b", undefined);
    loaded.save();
    expect(readFileSync(file, "utf8")).toBe(
      "# mine\nconfig:\n  p:a: two\n  p:c: three\nencryptionsalt: v1:x\n",
    );
  });

  test("quote strings that a YAML 1.1 parser would read as another type", () => {
    const { file, load } = settings("");
    const loaded = load();
    for (const text of ["true", "no", "12", "1_000", "0x1f", "~", "2026-01-01"])
      loaded.set(`p:${text}`, text);
    loaded.save();
    const written = readFileSync(file, "utf8").split("\n").slice(1, -1);
    expect(written.every((line) => /: "[^"]+"$/.test(line))).toBe(true);
    expect(Object.values(load().config)).toEqual(["true", "no", "12", "1_000", "0x1f", "~", "2026-01-01"]);
  });

  test("read an integer above 2^53 as a string, without rounding it", () => {
    const { load } = settings("config:\n  p:big: 9007199254740993\n  p:small: 12\n  p:half: 1.5\n");
    expect(load().config).toEqual({ "p:big": "9007199254740993", "p:small": 12, "p:half": 1.5 });
  });

  test.each([
    ["secretsprovider: awskms://alias/x\n", "the secrets provider awskms://alias/x"],
    ["encryptedkey: abc\n", "'encryptedkey' in"],
    ["environment:\n  - base\n", "'environment' in"],
  ])("are rejected if they contain %j, and the message names it", (text, reason) => {
    expect(() => settings(text).load()).toThrow(reason);
  });

  test("are rejected with the path of the file if they are not valid YAML", () => {
    const { file, load } = settings("config: [unclosed\n");
    expect(load).toThrow(file);
  });

  test("are read back as they were saved, for any value", () => {
    const { value } = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.string({ unit: "grapheme" }),
        fc.boolean(),
        fc.maxSafeInteger(),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(fc.stringMatching(/^[a-z ]{1,5}$/), tie("value"), {
          maxKeys: 3,
          noNullPrototype: true,
        }),
      ),
    }));
    fc.assert(
      fc.property(value, (content) => {
        const { load } = settings("");
        const loaded = load();
        loaded.set("p:k", content);
        loaded.save();
        expect(load().config["p:k"]).toEqual(content);
      }),
      { numRuns: 100 },
    );
  });
});
