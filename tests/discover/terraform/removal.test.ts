import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removalOf } from "../../../cli/import/terraform/removal";
import type { SourceObject } from "../../../cli/import/terraform/source";

const ADDRESSES = ["module.net.nomad_namespace.a", 'module.net.nomad_namespace.b["it\'s $HOME"]'];

const objects = ADDRESSES.map(
  (address) =>
    ({ mode: "managed", resource: "module.net.nomad_namespace.a", address, modules: ["net"] }) as never,
) as SourceObject[];

describe("the script that removes objects from a Terraform state", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "removal-"));
    // A Terraform whose state is a file with one address in each line. It rejects an address that the state does not contain.
    const terraform = `#!/bin/sh
if [ "$2" = list ]; then exec cat state; fi
grep -Fqx -e "$3" state || exit 1
grep -Fvx -e "$3" state > rest
mv rest state
`;
    writeFileSync(join(folder, "terraform"), terraform);
    chmodSync(join(folder, "terraform"), 0o755);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test("removes each address once, and skips removed addresses when it runs again", () => {
    const { script } = removalOf({ tool: "terraform", objects } as never, new Set(ADDRESSES));
    writeFileSync(join(folder, "state"), [...ADDRESSES, "nomad_namespace.other", ""].join("\n"));
    const run = () =>
      spawnSync("sh", ["-c", script], {
        cwd: folder,
        encoding: "utf8",
        env: { PATH: `${folder}:${process.env.PATH}` },
      });
    expect(run()).toMatchObject({ status: 0, stdout: "" });
    expect(readFileSync(join(folder, "state"), "utf8")).toBe("nomad_namespace.other\n");
    const skipped = ADDRESSES.map((address) => `already removed: ${address}\n`).join("");
    expect(run()).toMatchObject({ status: 0, stdout: skipped });
  });
});
