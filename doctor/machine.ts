import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Finding, type Found, notTold, ok, toDo } from "./report";

const run = promisify(execFile);

/** The machine on which programs run: what is installed, and of which version. */
export async function machineFound(machine: {
  readonly folder: string;
  readonly node: string;
  readonly bridge: string | undefined;
}): Promise<Finding[]> {
  const found: readonly (readonly [string, Found])[] = [
    ["Node", node(machine.node)],
    ["Pulumi CLI", await cli()],
    ["Pulumi SDK", sdk(machine.folder)],
    ["bridge", bridgeIs(machine.bridge)],
  ];
  return found.map(([what, finding]) => ({ about: "this machine", what, ...finding }));
}

/** The Node of this process, and the oldest that this package takes. */
function node(wanted: string): Found {
  const own = process.versions.node;
  const [least, is] = [wanted, own].map((text) =>
    text
      .replaceAll(/[^\d.]/g, "")
      .split(".")
      .map(Number),
  );
  const isOld = compared(is ?? [], least ?? []) < 0;
  return isOld ? toDo(`${own}: this package takes ${wanted}`, "Install a newer Node.") : ok(own);
}

function compared([major = 0, minor = 0]: readonly number[], [other = 0, otherMinor = 0]: readonly number[]) {
  return major - other || minor - otherMinor;
}

async function cli(): Promise<Found> {
  try {
    const { stdout } = await run("pulumi", ["version"], {
      env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" },
    });
    return ok(stdout.trim());
  } catch (error) {
    const { code, message } = Object(error);
    return code === "ENOENT"
      ? toDo("is not on the PATH", "Install it, as https://www.pulumi.com/docs/install says.")
      : toDo(`does not start: ${message}`);
  }
}

/** The engine's SDK that programs in this folder load. */
function sdk(folder: string): Found {
  try {
    const file = createRequire(join(folder, "index.js")).resolve("@pulumi/pulumi/package.json");
    return ok(String(JSON.parse(readFileSync(file, "utf8")).version));
  } catch {
    return notTold(`no @pulumi/pulumi is installed for ${folder}`);
  }
}

/** The bridge as the configuration says it. */
function bridgeIs(bridge: string | undefined): Found {
  switch (bridge) {
    case undefined:
      return ok(
        "dynamic (quarterdeck:bridge is not set; npx quarterdeck init has programs go by the plugin)",
      );
    case "dynamic":
    case "plugin":
      return ok(bridge);
    default:
      return toDo(`quarterdeck:bridge is ${JSON.stringify(bridge)}`, "It is dynamic or plugin.");
  }
}
