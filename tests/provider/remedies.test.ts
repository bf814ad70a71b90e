import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const PROVIDER = join(__dirname, "../../provider");

/** The folders whose errors a step reports. Errors of functions and bridges have no remedy. */
const STEPS = ["core/requests", "core/state", "core/operations", "services"];

/** Replaces a thrown value that is not an error. */
const WRAPPED_VALUE = "new Error(String(error))";

/** Files whose errors only a program receives, or no program can cause. */
const EXCEPTIONS = ["services/workspaces/publicRegistry.ts", "services/secrets/credentials.ts"];

const files = STEPS.flatMap((folder) =>
  readdirSync(join(PROVIDER, folder), { recursive: true, encoding: "utf8" }).map((file) =>
    join(folder, file),
  ),
).filter((file) => file.endsWith(".ts") && !EXCEPTIONS.includes(file));

test("no step throws a plain Error, so that every error has remedies or declares that it has none", () => {
  expect(files.length).toBeGreaterThan(100);
  const withPlainError = files.filter((file) => {
    const text = readFileSync(join(PROVIDER, file), "utf8").replaceAll(WRAPPED_VALUE, "");
    return text.includes("new Error(");
  });
  expect(withPlainError).toEqual([]);
});
