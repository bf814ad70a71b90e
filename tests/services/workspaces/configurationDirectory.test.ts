import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { extract, list } from "tar";
import {
  digestOfDirectory,
  packDirectory,
} from "../../../provider/services/workspaces/configurationDirectory";

let folder = "";
let directory = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "configuration-"));
  directory = join(folder, "network");
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    const local = join(directory, path);
    mkdirSync(dirname(local), { recursive: true });
    writeFileSync(local, content);
  }
}

/** The paths in the archive of the directory. */
function packed(): string[] {
  const target = join(folder, "packed.tar.gz");
  packDirectory(directory, target, digestOfDirectory(directory));
  const paths: string[] = [];
  list({ file: target, sync: true, onReadEntry: ({ path }) => paths.push(path) });
  return paths;
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

describe("the digest of a configuration directory", () => {
  test("is the SHA-256 of one line for each file, sorted by path", () => {
    write({ "main.tf": "one", "modules/vpc/main.tf": "two" });
    chmodSync(join(directory, "modules/vpc/main.tf"), 0o755);
    const lines = [`${sha256("one")} - main.tf\n`, `${sha256("two")} x modules/vpc/main.tf\n`];
    expect(digestOfDirectory(directory)).toBe(sha256(lines.join("")));
  });

  test("changes with the content, the name and the executable bit of a file, and with nothing else", () => {
    write({ "main.tf": "one" });
    const before = digestOfDirectory(directory);
    write({ "main.tf": "one" });
    chmodSync(join(directory, "main.tf"), 0o600);
    expect(digestOfDirectory(directory)).toBe(before);
    chmodSync(join(directory, "main.tf"), 0o700);
    expect(digestOfDirectory(directory)).not.toBe(before);
    chmodSync(join(directory, "main.tf"), 0o600);
    write({ "main.tf": "two" });
    expect(digestOfDirectory(directory)).not.toBe(before);
    write({ "main.tf": "one", "other.tf": "" });
    expect(digestOfDirectory(directory)).not.toBe(before);
  });

  test.each([
    ["does not exist", () => undefined, "cannot be read (ENOENT)"],
    ["is a file", () => writeFileSync(directory, ""), "is not a directory"],
    ["is empty", () => mkdirSync(directory), "contains no files to upload"],
    ["has only ignored files", () => write({ ".git/config": "" }), "contains no files to upload"],
  ])("is an error if the directory %s", (_, prepare, reason) => {
    prepare();
    expect(() => digestOfDirectory(directory)).toThrow(reason);
  });

  test("is an error if a symbolic link leaves the directory", () => {
    write({ "main.tf": "one" });
    symlinkSync("../outside.tf", join(directory, "link.tf"));
    writeFileSync(join(folder, "outside.tf"), "");
    expect(() => digestOfDirectory(directory)).toThrow(
      "contains link.tf, a symbolic link to a path outside it",
    );
  });
});

describe("the archive of a configuration directory", () => {
  test("contains every file with its content, and links inside the directory", () => {
    write({ "main.tf": "one", "modules/vpc/main.tf": "two" });
    symlinkSync("main.tf", join(directory, "link.tf"));
    expect(packed()).toEqual(["link.tf", "main.tf", "modules/vpc/main.tf"]);
    const copy = join(folder, "copy");
    mkdirSync(copy);
    extract({ file: join(folder, "packed.tar.gz"), cwd: copy, sync: true });
    expect(readFileSync(join(copy, "modules/vpc/main.tf"), "utf8")).toBe("two");
    expect(digestOfDirectory(copy)).toBe(digestOfDirectory(directory));
  });

  test("contains neither .git nor .terraform, except the downloaded modules", () => {
    write({
      "main.tf": "",
      ".git/config": "",
      ".terraform/providers/x": "",
      ".terraform/modules/modules.json": "",
      "stage/.terraform/providers/x": "",
    });
    expect(packed()).toEqual([".terraform/modules/modules.json", "main.tf"]);
  });

  test("contains no path that .terraformignore names", () => {
    write({
      ".terraformignore": "# local\n*.tfvars\n!shared.tfvars\n/build/\n",
      "main.tf": "",
      "own.tfvars": "",
      "shared.tfvars": "",
      "build/plan": "",
      "stage/build/plan": "",
    });
    expect(packed()).toEqual([".terraformignore", "main.tf", "shared.tfvars", "stage/build/plan"]);
  });

  test("is an error if the directory has another digest than the program", () => {
    write({ "main.tf": "one" });
    const expected = sha256("else");
    expect(() => packDirectory(directory, join(folder, "packed.tar.gz"), expected)).toThrow(
      `has the SHA-256 ${digestOfDirectory(directory)}, and not ${expected}`,
    );
  });
});
