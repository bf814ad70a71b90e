import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { textOfRegularFile } from "../../../provider/core/value/regularFile";
import { rejection } from "./clients";

const folder = mkdtempSync(join(tmpdir(), "regular-file-"));
afterAll(() => rmSync(folder, { recursive: true }));

const path = join(folder, "file");
writeFileSync(path, "\ufeffwörd\r\n");

test("textOfRegularFile returns the text unchanged", async () => {
  expect(await textOfRegularFile(path, {})).toBe("\ufeffwörd\r\n");
});

test("textOfRegularFile fails if the caller cancels", async () => {
  const caller = new AbortController();
  const reading = textOfRegularFile(path, {}, caller.signal);
  caller.abort();
  expect(String(await rejection(reading))).toContain("the command was canceled");
  expect(String(await rejection(textOfRegularFile(path, {}, caller.signal)))).toContain("canceled");
});

test.each(["1 MiB", "-1", "1e400"])(
  "textOfRegularFile rejects %s as QUARTERDECK_MAX_FILE_BYTES",
  async (limit) => {
    const error = await rejection(textOfRegularFile(path, { QUARTERDECK_MAX_FILE_BYTES: limit }));
    expect(String(error)).toContain(
      `QUARTERDECK_MAX_FILE_BYTES is not a number of bytes: ${JSON.stringify(limit)}`,
    );
  },
);

test.each(["/dev/zero", "/dev/null"])("textOfRegularFile rejects the device %s", async (device) => {
  expect(String(await rejection(textOfRegularFile(device, {})))).toContain("is not a regular file");
});
