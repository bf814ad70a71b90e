import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const PROVIDER = join(__dirname, "../../provider");

/** What a step tells is told by these; what a function or a bridge tells has no command to go on with. */
const STEPS = ["core/requests", "core/state", "core/operations", "services"];

/** What stands for an error that was thrown, and is none. */
const IN_PLACE_OF_NONE = "new Error(String(error))";

/** Errors of functions, whose caller is a program; and what no program can bring about. */
const OTHERS = ["services/workspaces/publicRegistry.ts", "services/secrets/credentials.ts"];

const files = STEPS.flatMap((folder) =>
  readdirSync(join(PROVIDER, folder), { recursive: true, encoding: "utf8" }).map((file) =>
    join(folder, file),
  ),
).filter((file) => file.endsWith(".ts") && !OTHERS.includes(file));

test("every error that a step makes says what to do next, or that there is nothing to do", () => {
  expect(files.length).toBeGreaterThan(100);
  const silent = files.filter((file) => {
    const text = readFileSync(join(PROVIDER, file), "utf8").replaceAll(IN_PLACE_OF_NONE, "");
    return text.includes("new Error(");
  });
  expect(silent).toEqual([]);
});
