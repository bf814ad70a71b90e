import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Finding, type Found, fail, ok, skip } from "./report";

const run = promisify(execFile);

/** Checks the installed software of the machine that runs the programs. */
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

/** Compares the Node version of this process with the oldest version that this package supports. */
function node(wanted: string): Found {
  const own = process.versions.node;
  const [least, is] = [wanted, own].map((text) =>
    text
      .replaceAll(/[^\d.]/g, "")
      .split(".")
      .map(Number),
  );
  const isOld = compareVersions(is ?? [], least ?? []) < 0;
  return isOld
    ? fail(`${own}: this package needs ${wanted}`, "nvm install --lts", "Install a newer Node.js.")
    : ok(own);
}

function compareVersions(
  [major = 0, minor = 0]: readonly number[],
  [other = 0, otherMinor = 0]: readonly number[],
) {
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
      ? fail(
          "not on the PATH",
          "curl -fsSL https://get.pulumi.com | sh",
          "Other ways to install the Pulumi CLI: https://www.pulumi.com/docs/install",
        )
      : fail(`does not start: ${message}`, "pulumi version");
  }
}

/** The Pulumi SDK that programs in this folder load. */
function sdk(folder: string): Found {
  try {
    const file = createRequire(join(folder, "index.js")).resolve("@pulumi/pulumi/package.json");
    return ok(String(JSON.parse(readFileSync(file, "utf8")).version));
  } catch {
    return skip(`@pulumi/pulumi is not installed in ${folder}`);
  }
}

/** The bridge from the configuration. */
function bridgeIs(bridge: string | undefined): Found {
  switch (bridge) {
    case undefined:
      return ok(
        "dynamic (quarterdeck:bridge is not set; npx quarterdeck init configures the project to use the plugin)",
      );
    case "dynamic":
    case "plugin":
      return ok(bridge);
    default:
      return fail(
        `quarterdeck:bridge is ${JSON.stringify(bridge)}, but must be dynamic or plugin`,
        "pulumi config set quarterdeck:bridge plugin",
      );
  }
}
