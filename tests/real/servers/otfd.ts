import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isOnPath } from "./onPath";
import { freePort, isAnswering, start } from "./program";
import { type Running, sendRequest, startServer, type Teardown } from "./server";
import { terraformEngine } from "./terraform";
import { userOf } from "./user";

/** The site token of the server. */
const TOKEN = "site-token-of-this-run";

/**
 * Starts otfd, an open source server of the workspaces API, with a separate database. Creates the organization
 * `acme`. Its runs execute the Terraform of this machine, if there is one.
 */
export function startOtfd(): Promise<Running> {
  return startServer(async (teardown) => {
    const database = await startDatabase(teardown);
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    const terraform = terraformEngine(teardown.folder);
    const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/vnd.api+json" };
    const otfd = await start({
      program: "otfd",
      args: [
        ...["--address", `127.0.0.1:${port}`],
        ...["--database", database],
        ...["--secret", "6b07b57377755b07cf61709780ee7484"],
        ...["--site-token", TOKEN],
        ...(terraform ? ["--engine-bins-dir", terraform.folder] : []),
      ],
      folder: teardown.folder,
      isReady: () => isAnswering(`${address}/api/v2/organizations`, headers),
    });
    teardown.add(() => otfd.stop());
    await sendRequest(`${address}/api/v2/organizations`, {
      method: "POST",
      headers,
      body: { data: { type: "organizations", attributes: { name: "acme", email: "ops@acme.example" } } },
    });
    const version = execFileSync("otfd", ["--version"], { encoding: "utf8" }).trim();
    return {
      program: "otfd",
      version,
      address,
      token: TOKEN,
      more: terraform ? { terraform: terraform.version } : {},
    };
  });
}

/** Starts PostgreSQL on loopback. Returns its connection string. */
async function startDatabase(teardown: Teardown): Promise<string> {
  const programs = databasePrograms();
  const port = await freePort();
  const folder = join(teardown.folder, "database");
  mkdirSync(folder);
  const user = userOf("postgres");
  if (user) for (const path of [teardown.folder, folder]) chownSync(path, user.uid, user.gid);
  execFileSync(join(programs, "initdb"), ["-D", folder, "-U", "otf", "--auth", "trust"], {
    stdio: "ignore",
    cwd: teardown.folder,
    ...user,
  });
  const postgres = await start({
    program: join(programs, "postgres"),
    args: ["-D", folder, "-p", String(port), "-h", "127.0.0.1", "-k", folder],
    folder: teardown.folder,
    ...(user && { user }),
    isReady: async () => {
      const who = ["-h", "127.0.0.1", "-p", String(port), "-U", "otf", "-d", "postgres"];
      execFileSync(join(programs, "pg_isready"), who, { stdio: "ignore" });
      return true;
    },
  });
  teardown.add(() => postgres.stop());
  return `postgres://otf@127.0.0.1:${port}/postgres?sslmode=disable`;
}

/** The folder of the newest PostgreSQL's programs, as on Debian; empty if they are on the PATH. */
function databasePrograms(): string {
  if (isOnPath("postgres") && isOnPath("initdb")) return "";
  const home = "/usr/lib/postgresql";
  const [newest] = readdirSync(home).sort((a, b) => Number(b) - Number(a));
  return join(home, newest ?? "", "bin");
}
