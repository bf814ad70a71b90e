// Generates files from the definitions, formats them like the repository, and compares them with the committed files. A
// CommonJS module, because both the generator and its test load it.
const { execFileSync } = require("node:child_process");
const {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} = require("node:fs");
const { tmpdir } = require("node:os");
const { dirname, join } = require("node:path");

const root = join(__dirname, "..");
const exampleFolder = "docs/reference/examples";

/** The other inputs of the generator: the package's metadata, the reference's examples, and pages whose text is in pictures. */
function sourcesBeside() {
  const examples = readdirSync(join(root, exampleFolder)).map((file) => [
    file.replace(/\.ts$/, "").replace("-", ":"),
    readFileSync(join(root, exampleFolder, file), "utf8"),
  ]);
  return {
    package: require("../package.json"),
    examples: Object.fromEntries(examples),
    endpoints: require("../docs/reference/endpoints.json"),
    pages: Object.fromEntries(
      ["conflicts", "doctor", "drift"].map((name) => [
        name,
        readFileSync(join(root, `docs/${name}.md`), "utf8"),
      ]),
    ),
  };
}

/** Formats the files with the repository's formatter. */
function formatted(files) {
  const folder = mkdtempSync(join(tmpdir(), "generated-"));
  try {
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const options = ["check", "--write", `--config-path=${root}`, "--vcs-enabled=false", "--log-level=error"];
    execFileSync(join(root, "node_modules/.bin/biome"), [...options, folder], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    return new Map([...files.keys()].map((path) => [path, readFileSync(join(folder, path), "utf8")]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Compares these files with the repository: paths to write, and paths that are no longer generated. */
function stale(files, mark) {
  const differing = [...files.keys()].filter((path) => {
    const file = join(root, path);
    return !existsSync(file) || readFileSync(file, "utf8") !== files.get(path);
  });
  const left = ["sdk", "docs/reference"]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, file)),
    )
    .filter((path) => /\.(ts|md)$/.test(path) && !files.has(path))
    .filter((path) => readFileSync(join(root, path), "utf8").split("\n", 1)[0].includes(mark));
  return { differing, left };
}

module.exports = { formatted, root, sourcesBeside, stale };
