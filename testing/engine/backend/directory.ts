import { existsSync, mkdirSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { Refusal, Unserved } from "../refusal";
import { readTextIfPresent, writeObject } from "./files";

const SCHEME = "file://";

/** The backend URL from the environment, or else from the project. The engine has no login, and so no default. */
export function backendUrl(
  environment: Readonly<Record<string, string | undefined>>,
  project: { readonly backendUrl?: string | undefined } | undefined,
): string {
  const url = environment.PULUMI_BACKEND_URL || project?.backendUrl;
  if (url) return url;
  throw new Refusal(
    "no backend is given; the embedded engine keeps state in files: " +
      "set PULUMI_BACKEND_URL to file://<folder>, or backend.url in Pulumi.yaml",
  );
}

/** Opens the folder of a `file://` URL and returns its path, resolved against `workingDirectory`. */
export function openDirectory(url: string, workingDirectory: string): string {
  if (!url.startsWith(SCHEME))
    throw new Unserved(`the backend ${url}`, "its state is kept in files (file://<folder>)");
  const path = (url.slice(SCHEME.length).split("?")[0] ?? "").replace(/^~(?=\/|$)/, homedir());
  const directory = resolve(workingDirectory, decodeURIComponent(path));
  if (!existsSync(directory) || !statSync(directory).isDirectory()) {
    throw new Refusal(`unable to open state directory "${url}": ${directory} is not a folder`);
  }
  ensureLayout(directory);
  return directory;
}

/** Layout 1 groups stacks by project. The older layout 0 has no `meta.yaml`; only the CLI can upgrade it. */
function ensureLayout(directory: string): void {
  const path = join(directory, ".pulumi", "meta.yaml");
  const text = readTextIfPresent(path);
  if (text === undefined) {
    if (existsSync(join(directory, ".pulumi", "stacks")))
      throw new Unserved("state of before projects had folders");
    mkdirSync(join(directory, ".pulumi"), { recursive: true });
    writeObject(path, "version: 1\n");
    return;
  }
  const meta: unknown = parse(text);
  const version = typeof meta === "object" && meta !== null && "version" in meta ? meta.version : undefined;
  if (version !== 1) {
    throw new Refusal(`state store unsupported: 'meta.yaml' version (${String(version)}) is not supported`);
  }
}
