import { depthOfItems, inside, itemsIn, plain, Unreadable, type YamlEntry, yamlEntries } from "./yamlLines";

/** The path of the plugin, relative to a folder in which the package is installed. */
export const PLUGIN = "node_modules/pulumi-quarterdeck/plugin";

/** An edited project file, and one sentence for each addition. */
export interface Edited {
  readonly text: string;
  readonly done: readonly string[];
}

/** The lines of the project file that configure the plugin, for the user to add by hand. */
export function pluginLines(path: string): string {
  return [
    "plugins:",
    "  providers:",
    "    - name: quarterdeck",
    `      path: ${path}`,
    "config:",
    "  quarterdeck:bridge: plugin",
    "",
  ].join("\n");
}

/** The runtime of a project file: `nodejs`, `python` and so on; undefined if it names none. */
export function runtimeIn(text: string): string | undefined {
  const { lines } = splitLines(text);
  const runtime = yamlEntries(lines).find(({ key }) => key === "runtime");
  if (runtime === undefined) return undefined;
  if (runtime.inline !== "") return plain(runtime.inline);
  const name = inside(lines, runtime).find(({ key }) => key === "name");
  return name && plain(name.inline);
}

/**
 * Adds the plugin's folder and the setting `quarterdeck:bridge: plugin` to a project file. If the file contains both, every
 * byte stays the same.
 * @throws Unreadable if the file contains something that only the user should change
 */
export function withPlugin(text: string, path: string): Edited {
  const { lines, end } = splitLines(text);
  refuseGenerated(lines);
  const provided = withProvider(lines, path);
  const bridged = withBridge(provided.lines);
  const done = [...provided.done, ...bridged.done];
  return { text: done.length === 0 ? text : `${bridged.lines.join(end)}${end}`, done };
}

interface Step {
  readonly lines: readonly string[];
  readonly done: readonly string[];
}

function withProvider(lines: readonly string[], path: string): Step {
  const done = [`plugins.providers: added quarterdeck, path ${path}`];
  const item = (indent: number) => [
    `${" ".repeat(indent)}- name: quarterdeck`,
    `${" ".repeat(indent)}  path: ${path}`,
  ];
  const plugins = yamlEntries(lines).find(({ key }) => key === "plugins");
  if (plugins === undefined) return { lines: [...lines, "plugins:", "  providers:", ...item(4)], done };
  const kinds = inside(lines, plugins);
  const providers = kinds.find(({ key }) => key === "providers");
  if (providers === undefined) {
    const indent = kinds[0]?.indent ?? 2;
    const added = [`${" ".repeat(indent)}providers:`, ...item(indent + 2)];
    return { lines: lines.toSpliced(plugins.end, 0, ...added), done };
  }
  const own = itemsIn(lines, providers).find((members) => plainValue(members, "name") === "quarterdeck");
  if (own !== undefined) {
    refuseOther(own, path);
    return { lines, done: [] };
  }
  const indent = depthOfItems(lines, providers) ?? providers.indent + 2;
  return { lines: lines.toSpliced(providers.end, 0, ...item(indent)), done };
}

/** The CLI would generate an SDK for this entry, and replace this package with it in package.json. */
function refuseGenerated(lines: readonly string[]): void {
  const packages = yamlEntries(lines).find(({ key }) => key === "packages");
  if (packages !== undefined && inside(lines, packages).some(({ key }) => key === "quarterdeck"))
    throw new Unreadable(
      "packages contains quarterdeck, which only other languages need: remove quarterdeck from packages",
    );
}

/** With a version, the engine would look for a plugin of exactly that version, and miss an update of the package. */
function refuseOther(own: readonly YamlEntry[], path: string): void {
  const [version, there] = ["version", "path"].map((key) => plainValue(own, key));
  if (version !== undefined) throw new Unreadable("plugins.providers sets a version for quarterdeck");
  if (there === undefined || there.replace(/^\.\//, "") !== path)
    throw new Unreadable(`plugins.providers sets a different path for quarterdeck: ${there ?? "none"}`);
}

const BRIDGE = "quarterdeck:bridge";

function withBridge(lines: readonly string[]): Step {
  const done = [`config: set ${BRIDGE} to plugin`];
  const config = yamlEntries(lines).find(({ key }) => key === "config");
  if (config === undefined) return { lines: [...lines, "config:", `  ${BRIDGE}: plugin`], done };
  const settings = inside(lines, config);
  const own = settings.find(({ key }) => key === BRIDGE);
  if (own === undefined) {
    const indent = " ".repeat(settings[0]?.indent ?? 2);
    return { lines: lines.toSpliced(config.end, 0, `${indent}${BRIDGE}: plugin`), done };
  }
  const value = own.inline === "" ? plainValue(inside(lines, own), "value") : plain(own.inline);
  if (value === "plugin") return { lines, done: [] };
  throw new Unreadable(`config sets ${BRIDGE} to ${value ?? "a different value"}`);
}

function plainValue(entries: readonly YamlEntry[], key: string): string | undefined {
  const entry = entries.find((one) => one.key === key);
  return entry && plain(entry.inline);
}

/** Splits a text into lines, and finds its line ending. */
function splitLines(text: string): { readonly lines: readonly string[]; readonly end: string } {
  const lines = text.split(/\r?\n/);
  // The final line ending does not begin another line.
  return {
    lines: lines.at(-1) === "" ? lines.slice(0, -1) : lines,
    end: text.includes("\r\n") ? "\r\n" : "\n",
  };
}
