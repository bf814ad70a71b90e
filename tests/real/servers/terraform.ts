import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { isOnPath } from "./onPath";

/** A folder of Terraform as OTF looks for it, and its version. */
interface Engine {
  /** Contains `<version>/terraform`. OTF downloads a version that it does not contain. */
  readonly folder: string;
  readonly version: string;
}

/**
 * The Terraform of OTF's runs: the program that QUARTERDECK_TERRAFORM names, or `terraform` on the PATH. Undefined if
 * there is none.
 */
export function terraformEngine(parent: string): Engine | undefined {
  const program = pathOf(process.env.QUARTERDECK_TERRAFORM ?? "terraform");
  if (program === undefined) return undefined;
  const text = execFileSync(program, ["version", "-json"], {
    encoding: "utf8",
    env: { ...process.env, CHECKPOINT_DISABLE: "1" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  // The command prints an object.
  const { terraform_version: version } = JSON.parse(text) as { terraform_version: string };
  const folder = join(parent, "engines");
  mkdirSync(join(folder, version), { recursive: true });
  symlinkSync(program, join(folder, version, "terraform"));
  return { folder, version };
}

/** The absolute path of a program. */
function pathOf(program: string): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return [program, ...folders.map((folder) => join(folder, program))].find(
    (path) => path.startsWith("/") && isOnPath(path),
  );
}
