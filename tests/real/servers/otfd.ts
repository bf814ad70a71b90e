import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isOnPath } from "./onPath";
import { answers, freePort, start } from "./program";
import { ask, type Begun, begin, type Running } from "./server";
import { userOf } from "./user";

/** A token of the whole site; it lives as long as the server. */
const TOKEN = "site-token-of-this-run";

/** The open server of the workspaces' API, with a database of its own; the organization `acme` is there. */
export function startOtfd(): Promise<Running> {
  return begin(async (begun) => {
    const database = await startDatabase(begun);
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/vnd.api+json" };
    const otfd = await start({
      program: "otfd",
      args: [
        ...["--address", `127.0.0.1:${port}`],
        ...["--database", database],
        ...["--secret", "6b07b57377755b07cf61709780ee7484"],
        ...["--site-token", TOKEN],
      ],
      folder: begun.folder,
      isReady: () => answers(`${address}/api/v2/organizations`, headers),
    });
    begun.add(() => otfd.stop());
    await ask(`${address}/api/v2/organizations`, {
      method: "POST",
      headers,
      body: { data: { type: "organizations", attributes: { name: "acme", email: "ops@acme.example" } } },
    });
    const version = execFileSync("otfd", ["--version"], { encoding: "utf8" }).trim();
    return { program: "otfd", version, address, token: TOKEN, more: {} };
  });
}

/** A PostgreSQL of its own on loopback; how it is reached. */
async function startDatabase(begun: Begun): Promise<string> {
  const programs = databasePrograms();
  const port = await freePort();
  const folder = join(begun.folder, "database");
  mkdirSync(folder);
  const user = userOf("postgres");
  if (user) for (const path of [begun.folder, folder]) chownSync(path, user.uid, user.gid);
  execFileSync(join(programs, "initdb"), ["-D", folder, "-U", "otf", "--auth", "trust"], {
    stdio: "ignore",
    cwd: begun.folder,
    ...user,
  });
  const postgres = await start({
    program: join(programs, "postgres"),
    args: ["-D", folder, "-p", String(port), "-h", "127.0.0.1", "-k", folder],
    folder: begun.folder,
    ...(user && { user }),
    isReady: async () => {
      const who = ["-h", "127.0.0.1", "-p", String(port), "-U", "otf", "-d", "postgres"];
      execFileSync(join(programs, "pg_isready"), who, { stdio: "ignore" });
      return true;
    },
  });
  begun.add(() => postgres.stop());
  return `postgres://otf@127.0.0.1:${port}/postgres?sslmode=disable`;
}

/** Where the newest PostgreSQL's programs are: on the PATH, or where Debian puts them. */
function databasePrograms(): string {
  if (isOnPath("postgres") && isOnPath("initdb")) return "";
  const home = "/usr/lib/postgresql";
  const [newest] = readdirSync(home).sort((a, b) => Number(b) - Number(a));
  return join(home, newest ?? "", "bin");
}
