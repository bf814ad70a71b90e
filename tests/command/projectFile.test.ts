import { parse } from "yaml";
import { pluginLines, runtimeIn, withPlugin } from "../../cli/new/projectFile";

const PATH = "node_modules/pulumi-quarterdeck/plugin";
const OURS = { name: "quarterdeck", path: PATH };

/** What a project's file says beside what was put into it, and what a YAML reader then finds. */
function edited(text: string) {
  const { text: after, done } = withPlugin(text, PATH);
  return { after, done, read: parse(after) as Record<string, unknown> };
}

const FILES: Readonly<Record<string, string>> = {
  "the file of a new project": "name: shop\ndescription: A shop\nruntime: nodejs\n",
  "no end of the last line": "name: shop\nruntime: nodejs",
  "Windows' line ends": "name: shop\r\nruntime:\r\n  name: nodejs\r\nconfig:\r\n  shop:size: 3\r\n",
  "settings of its own":
    "# The shop.\nname: shop # ours\nruntime:\n  name: nodejs\n  options:\n    packagemanager: npm\nconfig:\n  # where\n  aws:region: eu-west-1\n  size:\n    type: integer\n    default: 3\n\n# The end.\nmain: src\n",
  "a deeper indentation":
    "config:\n    aws:region: x\nplugins:\n    analyzers:\n        - name: a\n          path: b\nname: shop\nruntime: nodejs\n",
  "other providers":
    "name: shop\nruntime: nodejs\nplugins:\n  providers:\n    # mine\n    - name: other\n      path: ../other\n    - path: x\n      name: third # 3\nmain: src\n",
  "a list as deep as its key":
    "plugins:\n  providers:\n  - name: other\n    path: ../other\n  analyzers:\n  - name: a\nname: shop\nruntime: nodejs\n",
  "empty blocks": "name: shop\nruntime: nodejs\nplugins:\nconfig: # none yet\n",
  "empty providers": "---\nname: shop\nruntime: nodejs\nplugins:\n  providers:\n",
  "texts that look like keys":
    "name: shop\nruntime: nodejs\ndescription: |\n  config:\n    quarterdeck:bridge: dynamic\n  plugins: []\nconfig:\n  shop:text: >\n    quarterdeck:bridge: dynamic\n  'shop:more': \"a # b\"\n",
  "a flow that is none of ours":
    "name: shop\nruntime: {name: nodejs, options: {typescript: false}}\nbackend: {url: 'file://~'}\n",
};

describe("a project's file", () => {
  test.each(Object.entries(FILES))(
    "with %s gets both entries, and keeps every line and value that it has",
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
      // What was there stands there still, in its order, comments and line ends too.
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

  test.each(Object.entries(FILES))("with %s is left as it is by a second time", (_, text) => {
    const once = edited(text).after;
    expect(withPlugin(once, PATH)).toEqual({ text: once, done: [] });
  });

  test.each([
    ["says it in the words of a value", "config:\n  quarterdeck:bridge:\n    value: plugin\n"],
    ["says it in quotes", "config:\n  \"quarterdeck:bridge\": 'plugin'\n"],
    ["names the folder from here", "config:\n  quarterdeck:bridge: plugin # moved\n"],
  ])("that %s is left as it is", (_, config) => {
    const text = `name: shop\nplugins:\n  providers:\n    - path: ./${PATH}\n      name: "quarterdeck"\n${config}`;
    expect(withPlugin(text, PATH)).toEqual({ text, done: [] });
  });

  test("gets what it lacks of the two alone", () => {
    const { done, read } = edited("config:\n  quarterdeck:bridge: plugin\n");
    expect(done).toEqual([expect.stringMatching(/^plugins\.providers: /)]);
    expect(read).toEqual({ config: { "quarterdeck:bridge": "plugin" }, plugins: { providers: [OURS] } });
  });

  test.each([
    ["config: {}\n", /what config holds stands beside it/],
    ["plugins: &p\n  providers: []\n", /what plugins holds stands beside it/],
    ["plugins:\n  providers: []\n", /what providers holds stands beside it/],
    ["plugins:\n  providers:\n    - {name: other, path: x}\n", /line 3 is no key/],
    ["plugins:\n  providers:\n    name: other\n", /what providers holds is no list/],
    ["config:\n  <<: *shared\n", /line 2 is no key/],
    ["config:\n\taws:region: x\n", /line 2 is indented by a tab/],
    ["config:\n  a:b: 1\nconfig:\n  c:d: 2\n", /config stands in it twice/],
    ["name: shop\n---\nname: other\n", /line 2 is no key/],
    ['{ "name": "shop" }\n', /line 1 is no key/],
    ["config:\n  quarterdeck:bridge: dynamic\n", /says that quarterdeck:bridge is dynamic/],
    ["config:\n  quarterdeck:bridge:\n    - plugin\n", /line 3 is no key/],
    [
      "plugins:\n  providers:\n    - name: quarterdeck\n      path: ../mine\n",
      /has quarterdeck at \.\.\/mine/,
    ],
    ["plugins:\n  providers:\n    - name: quarterdeck\n", /has quarterdeck at no path/],
    [
      `plugins:\n  providers:\n    - name: quarterdeck\n      path: ${PATH}\n      version: 0.1.0\n`,
      /asks for a version/,
    ],
    ["packages:\n  quarterdeck: ./node_modules/x\n", /packages names quarterdeck/],
  ])("that holds %j is for a person to change", (text, says) => {
    expect(() => withPlugin(text, PATH)).toThrow(says);
  });

  test("is told to a person as it is written", () => {
    expect(parse(pluginLines(PATH))).toEqual(edited("").read);
  });

  test.each([
    ["runtime: nodejs\n", "nodejs"],
    ['name: x\nruntime: "python" # 3.11\n', "python"],
    ["runtime:\n  options:\n    virtualenv: venv\n  name: python\n", "python"],
    ["name: x\n", undefined],
  ])("%j names its language", (text, language) => {
    expect(runtimeIn(text)).toBe(language);
  });
});
