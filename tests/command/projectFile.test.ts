import { parse } from "yaml";
import { pluginLines, runtimeIn, withPlugin } from "../../cli/new/projectFile";

const PATH = "node_modules/pulumi-quarterdeck/plugin";
const OURS = { name: "quarterdeck", path: PATH };

/** The edited text of a Pulumi.yaml, the changes that were made, and the parsed content. */
function edited(text: string) {
  const { text: after, done } = withPlugin(text, PATH);
  return { after, done, read: parse(after) as Record<string, unknown> };
}

const FILES: Readonly<Record<string, string>> = {
  "the content of a new project": "name: shop\ndescription: A shop\nruntime: nodejs\n",
  "no newline at the end": "name: shop\nruntime: nodejs",
  "Windows line ends": "name: shop\r\nruntime:\r\n  name: nodejs\r\nconfig:\r\n  shop:size: 3\r\n",
  "comments and other settings":
    "# The shop.\nname: shop # ours\nruntime:\n  name: nodejs\n  options:\n    packagemanager: npm\nconfig:\n  # where\n  aws:region: eu-west-1\n  size:\n    type: integer\n    default: 3\n\n# The end.\nmain: src\n",
  "a deeper indentation":
    "config:\n    aws:region: x\nplugins:\n    analyzers:\n        - name: a\n          path: b\nname: shop\nruntime: nodejs\n",
  "other providers":
    "name: shop\nruntime: nodejs\nplugins:\n  providers:\n    # mine\n    - name: other\n      path: ../other\n    - path: x\n      name: third # 3\nmain: src\n",
  "a list with the indentation of its key":
    "plugins:\n  providers:\n  - name: other\n    path: ../other\n  analyzers:\n  - name: a\nname: shop\nruntime: nodejs\n",
  "empty blocks": "name: shop\nruntime: nodejs\nplugins:\nconfig: # none yet\n",
  "an empty list of providers": "---\nname: shop\nruntime: nodejs\nplugins:\n  providers:\n",
  "strings that look like keys":
    "name: shop\nruntime: nodejs\ndescription: |\n  config:\n    quarterdeck:bridge: dynamic\n  plugins: []\nconfig:\n  shop:text: >\n    quarterdeck:bridge: dynamic\n  'shop:more': \"a # b\"\n",
  "flow mappings in other keys":
    "name: shop\nruntime: {name: nodejs, options: {typescript: false}}\nbackend: {url: 'file://~'}\n",
};

describe("a Pulumi.yaml", () => {
  test.each(Object.entries(FILES))(
    "with %s gets both entries, and keeps all its lines and values",
    (_, text) => {
      const before = (parse(text) ?? {}) as Record<string, unknown>;
      const { after, done, read } = edited(text);
      expect(done).toHaveLength(2);
      const { plugins, config, ...rest } = read as { plugins: { providers: unknown[] }; config: object };
      const {
        plugins: hadPlugins,
        config: hadConfig,
        ...had
      } = before as {
        plugins?: { providers?: unknown[] } | null;
        config?: object | null;
      };
      expect(rest).toEqual(had);
      expect(config).toEqual({ ...hadConfig, "quarterdeck:bridge": "plugin" });
      expect(plugins).toEqual({ ...hadPlugins, providers: [...(hadPlugins?.providers ?? []), OURS] });
      // All original lines remain in the same order, including comments and line ends.
      const lines = after.split("\n");
      let at = -1;
      for (const line of text.replace(/\r?\n$/, "").split("\n")) {
        at = lines.findIndex(
          (one, index) => index > at && one.replace(/\r$/, "") === line.replace(/\r$/, ""),
        );
        expect([line, at]).not.toEqual([line, -1]);
      }
      expect(new Set(after.match(/\r?\n/g))).toEqual(new Set([text.includes("\r\n") ? "\r\n" : "\n"]));
    },
  );

  test.each(Object.entries(FILES))("with %s is not changed by a second run", (_, text) => {
    const once = edited(text).after;
    expect(withPlugin(once, PATH)).toEqual({ text: once, done: [] });
  });

  test.each([
    ["sets the bridge in a nested value", "config:\n  quarterdeck:bridge:\n    value: plugin\n"],
    ["sets the bridge in quotes", "config:\n  \"quarterdeck:bridge\": 'plugin'\n"],
    ["sets the bridge with a comment", "config:\n  quarterdeck:bridge: plugin # moved\n"],
  ])("that %s is not changed", (_, config) => {
    const text = `name: shop\nplugins:\n  providers:\n    - path: ./${PATH}\n      name: "quarterdeck"\n${config}`;
    expect(withPlugin(text, PATH)).toEqual({ text, done: [] });
  });

  test("gets only the missing one of the two entries", () => {
    const { done, read } = edited("config:\n  quarterdeck:bridge: plugin\n");
    expect(done).toEqual([expect.stringMatching(/^plugins\.providers: /)]);
    expect(read).toEqual({ config: { "quarterdeck:bridge": "plugin" }, plugins: { providers: [OURS] } });
  });

  test.each([
    ["config: {}\n", /line 1 contains config and its value: write the value on the lines below the key/],
    [
      "plugins: &p\n  providers: []\n",
      /line 1 contains plugins and its value: write the value on the lines below the key/,
    ],
    [
      "plugins:\n  providers: []\n",
      /line 2 contains providers and its value: write the value on the lines below the key/,
    ],
    ["plugins:\n  providers:\n    - {name: other, path: x}\n", /line 3 is not a key/],
    ["plugins:\n  providers:\n    name: other\n", /the value of providers is not a list/],
    ["config:\n  <<: *shared\n", /line 2 is not a key/],
    ["config:\n\taws:region: x\n", /line 2 is indented with a tab/],
    ["config:\n  a:b: 1\nconfig:\n  c:d: 2\n", /config occurs twice/],
    ["name: shop\n---\nname: other\n", /line 2 is not a key/],
    ['{ "name": "shop" }\n', /line 1 is not a key/],
    ["config:\n  quarterdeck:bridge: dynamic\n", /config sets quarterdeck:bridge to dynamic/],
    ["config:\n  quarterdeck:bridge:\n    - plugin\n", /line 3 is not a key/],
    [
      "plugins:\n  providers:\n    - name: quarterdeck\n      path: ../mine\n",
      /sets a different path for quarterdeck: \.\.\/mine/,
    ],
    ["plugins:\n  providers:\n    - name: quarterdeck\n", /sets a different path for quarterdeck: none/],
    [
      `plugins:\n  providers:\n    - name: quarterdeck\n      path: ${PATH}\n      version: 0.1.0\n`,
      /sets a version/,
    ],
    ["packages:\n  quarterdeck: ./node_modules/x\n", /packages contains quarterdeck/],
  ])("that contains %j is rejected with the reason", (text, says) => {
    expect(() => withPlugin(text, PATH)).toThrow(says);
  });

  test("that was empty has the content that the instructions print", () => {
    expect(parse(pluginLines(PATH))).toEqual(edited("").read);
  });

  test.each([
    ["runtime: nodejs\n", "nodejs"],
    ['name: x\nruntime: "python" # 3.11\n', "python"],
    ["runtime:\n  options:\n    virtualenv: venv\n  name: python\n", "python"],
    ["name: x\n", undefined],
  ])("%j has the language of its runtime", (text, language) => {
    expect(runtimeIn(text)).toBe(language);
  });
});
