import { depthOfItems, type Entry, entriesIn, inside, itemsIn, plain, Unreadable } from "./yamlLines";

/** Where the package's plugin is, from a folder that has the package. */
export const PLUGIN = "node_modules/pulumi-quarterdeck/plugin";

/** A project's file with what it was lacking, and what that was, a sentence each. */
export interface Edited {
  readonly text: string;
  readonly done: readonly string[];
}

/** What a project's file says for the plugin, as a person may put it in by hand. */
export function wanted(path: string): string {
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

/** The language of a project's file: `nodejs`, `python`… Undefined where it says none. */
export function runtimeIn(text: string): string | undefined {
  const { lines } = split(text);
  const runtime = entriesIn(lines).find(({ key }) => key === "runtime");
  if (runtime === undefined) return undefined;
  if (runtime.beside !== "") return plain(runtime.beside);
  const name = inside(lines, runtime).find(({ key }) => key === "name");
  return name && plain(name.beside);
}

/**
 * A project's file that names the plugin's folder and says that programs go by it. Where it says so already it stays as it
 * is, to the byte.
 * @throws Unreadable where something stands in it that only a person should change
 */
export function withPlugin(text: string, path: string): Edited {
  const { lines, end } = split(text);
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
  const done = [`plugins.providers: quarterdeck is at ${path}`];
  const item = (indent: number) => [
    `${" ".repeat(indent)}- name: quarterdeck`,
    `${" ".repeat(indent)}  path: ${path}`,
  ];
  const plugins = entriesIn(lines).find(({ key }) => key === "plugins");
  if (plugins === undefined) return { lines: [...lines, "plugins:", "  providers:", ...item(4)], done };
  const kinds = inside(lines, plugins);
  const providers = kinds.find(({ key }) => key === "providers");
  if (providers === undefined) {
    const indent = kinds[0]?.indent ?? 2;
    const added = [`${" ".repeat(indent)}providers:`, ...item(indent + 2)];
    return { lines: lines.toSpliced(plugins.end, 0, ...added), done };
  }
  const own = itemsIn(lines, providers).find((members) => besideKey(members, "name") === "quarterdeck");
  if (own !== undefined) {
    refuseOther(own, path);
    return { lines, done: [] };
  }
  const indent = depthOfItems(lines, providers) ?? providers.indent + 2;
  return { lines: lines.toSpliced(providers.end, 0, ...item(indent)), done };
}

/** The CLI would generate an SDK for what stands there, and put it into package.json in this package's place. */
function refuseGenerated(lines: readonly string[]): void {
  const packages = entriesIn(lines).find(({ key }) => key === "packages");
  if (packages !== undefined && inside(lines, packages).some(({ key }) => key === "quarterdeck"))
    throw new Unreadable("packages names quarterdeck, which is for other languages: take it out");
}

/** A version would have the engine look for a plugin of just that one, which an update of the package is not. */
function refuseOther(own: readonly Entry[], path: string): void {
  const [version, there] = ["version", "path"].map((key) => besideKey(own, key));
  if (version !== undefined) throw new Unreadable("plugins.providers asks for a version of quarterdeck");
  if (there === undefined || there.replace(/^\.\//, "") !== path)
    throw new Unreadable(`plugins.providers has quarterdeck at ${there ?? "no path"}`);
}

const BRIDGE = "quarterdeck:bridge";

function withBridge(lines: readonly string[]): Step {
  const done = [`config: ${BRIDGE} is plugin`];
  const config = entriesIn(lines).find(({ key }) => key === "config");
  if (config === undefined) return { lines: [...lines, "config:", `  ${BRIDGE}: plugin`], done };
  const settings = inside(lines, config);
  const own = settings.find(({ key }) => key === BRIDGE);
  if (own === undefined) {
    const indent = " ".repeat(settings[0]?.indent ?? 2);
    return { lines: lines.toSpliced(config.end, 0, `${indent}${BRIDGE}: plugin`), done };
  }
  const value = own.beside === "" ? besideKey(inside(lines, own), "value") : plain(own.beside);
  if (value === "plugin") return { lines, done: [] };
  throw new Unreadable(`config says that ${BRIDGE} is ${value ?? "something else"}`);
}

function besideKey(entries: readonly Entry[], key: string): string | undefined {
  const entry = entries.find((one) => one.key === key);
  return entry && plain(entry.beside);
}

/** The lines of a text, and how they end. */
function split(text: string): { readonly lines: readonly string[]; readonly end: string } {
  const lines = text.split(/\r?\n/);
  // The end of the last line begins no further one.
  return {
    lines: lines.at(-1) === "" ? lines.slice(0, -1) : lines,
    end: text.includes("\r\n") ? "\r\n" : "\n",
  };
}
