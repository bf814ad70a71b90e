import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withFileDigests } from "../../../provider/core/bridge/fileDigests";
import { withMetadata } from "../../../provider/core/value/programInputs";
import { UNKNOWN } from "../../../provider/core/value/unknown";
import project from "../../../provider/services/workspaces/project";
import platform from "../../../provider/services/workspaces/registryProviderPlatform";

const folder = mkdtempSync(join(tmpdir(), "quarterdeck-digests-"));
const file = join(folder, "release.zip");
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => writeFileSync(file, "content"));

const SHA256 = createHash("sha256").update("content").digest("hex");
const digested = async (inputs: Record<string, unknown>, definition: typeof platform = platform) => {
  const found = await withFileDigests(definition, withMetadata(inputs as never, {}));
  return { inputs: { ...found.inputs }, problems: found.problems };
};

test("a check adds the digest of a file to every property that contains it", async () => {
  expect(await digested({ file })).toEqual({
    inputs: { file, shasum: SHA256, uploadedSha256: SHA256 },
    problems: [],
  });
});

test("a digest in the program is kept, and its file is not read", async () => {
  const inputs = { file: join(folder, "none"), shasum: "a", uploadedSha256: "b" };
  expect(await digested(inputs)).toEqual({ inputs, problems: [] });
});

test("a file that cannot be read is one problem of its property, with the remedy", async () => {
  const { problems } = await digested({ file: join(folder, "none") });
  expect(problems).toEqual([
    {
      path: "file",
      reason: `${JSON.stringify(join(folder, "none"))} cannot be read (ENOENT): create it, correct the path (relative to the program's folder), or set shasum`,
    },
  ]);
});

test("the digests of a file whose path is unknown in a preview are unknown", async () => {
  const { inputs } = await digested({ file: UNKNOWN });
  expect(inputs).toEqual({ file: UNKNOWN, shasum: UNKNOWN, uploadedSha256: UNKNOWN });
});

test("inputs without files are returned unchanged", async () => {
  const inputs = withMetadata({ name: "platform-team" }, {});
  expect((await withFileDigests(project, inputs)).inputs).toBe(inputs);
});
