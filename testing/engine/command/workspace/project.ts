import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import type { Declared, DeclaredType } from "../../backend/configuration/effective";
import type { DeclaredPlugin } from "../../deployment/operation/options";
import { Refusal, Unserved } from "../../refusal";

/** The parts of `Pulumi.yaml` that the engine uses. */
export interface Project {
  /** The path of the file. */
  readonly path: string;
  /** The folder of the file. */
  readonly root: string;
  readonly name: string;
  readonly runtime: string;
  readonly runtimeOptions: Readonly<Record<string, unknown>>;
  readonly main?: string | undefined;
  readonly backendUrl?: string | undefined;
  /** The folder of the stacks' settings. */
  readonly settingsFolder: string;
  readonly config: Readonly<Record<string, Declared>>;
  /** The provider plugins that have a path. */
  readonly plugins: readonly DeclaredPlugin[];
}

const literal = z.union([z.string(), z.number(), z.boolean(), z.array(z.unknown())]);
const items: z.ZodType<DeclaredType> = z.lazy(() =>
  z.looseObject({ type: z.string().optional(), items: items.optional() }),
);
const declaration = z.looseObject({
  type: z.string().optional(),
  items: items.optional(),
  default: z.unknown().optional(),
  value: z.unknown().optional(),
  secret: z.boolean().optional(),
});

const schema = z.looseObject({
  name: z.string(),
  runtime: z.union([
    z.string(),
    z.looseObject({ name: z.string(), options: z.record(z.string(), z.unknown()).optional() }),
  ]),
  main: z.string().optional(),
  backend: z.looseObject({ url: z.string().optional() }).nullish(),
  stackConfigDir: z.string().optional(),
  config: z.record(z.string(), z.union([literal, declaration])).nullish(),
  plugins: z
    .looseObject({
      providers: z.array(z.looseObject({ name: z.string(), path: z.string() })).nullish(),
    })
    .nullish(),
});

/** Unsupported settings that would change the behavior of commands. */
const UNSERVED = ["packages", "options", "requiredPulumiVersion"];

/** Finds the project of a folder. */
export function findProject(folder: string): Project | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const path = [".yaml", ".yml", ".json"]
      .map((end) => join(at, `Pulumi${end}`))
      .find((file) => existsSync(file));
    if (path !== undefined) return readProject(path);
    if (dirname(at) === at) return undefined;
  }
}

function readProject(path: string): Project {
  const content = schema.safeParse(parse(readFileSync(path, "utf8")));
  if (!content.success) {
    throw new Refusal(`could not validate '${path}': ${z.prettifyError(content.error)}`);
  }
  const { name, runtime, main, backend, stackConfigDir, config, plugins, ...others } = content.data;
  for (const field of UNSERVED) if (others[field] != null) throw new Unserved(`'${field}' in ${path}`);
  for (const [key, value] of Object.entries(config ?? {})) {
    if (typeof value === "object" && !Array.isArray(value) && value.secret) {
      throw new Unserved(`the secret '${key}' in ${path}`, "set it in the stack");
    }
  }
  const root = dirname(path);
  return {
    plugins: declaredPlugins(path, plugins),
    path,
    root,
    name,
    runtime: typeof runtime === "string" ? runtime : runtime.name,
    runtimeOptions: typeof runtime === "string" ? {} : (runtime.options ?? {}),
    main,
    backendUrl: backend?.url,
    settingsFolder: join(root, stackConfigDir ?? "."),
    config: Object.fromEntries(
      Object.entries(config ?? {}).map(([key, value]) => [
        key.includes(":") ? key : `${name}:${key}`,
        typeof value === "object" && !Array.isArray(value) ? value : { default: value },
      ]),
    ),
  };
}

/** Supports only provider plugins with a path, which is relative to the file's folder. */
function declaredPlugins(path: string, plugins: z.infer<typeof schema>["plugins"]): DeclaredPlugin[] {
  const { providers, ...others } = plugins ?? {};
  for (const kind of Object.keys(others)) throw new Unserved(`'plugins: ${kind}' in ${path}`);
  return (providers ?? []).map(({ name, path: place, ...further }) => {
    for (const field of Object.keys(further)) throw new Unserved(`'${field}' of a plugin in ${path}`);
    return { name, path: resolve(dirname(path), place) };
  });
}
