import { catalog } from "../../provider/catalog";
import { allFunctions } from "../../provider/functions";
import { generatedFiles, MARK } from "../../tools/generate";
import { formatted, sourcesBeside, stale } from "./generated";

const definitions = Object.values(catalog).map((load) => load());
const generate = () => generatedFiles({ definitions, functions: allFunctions(), ...sourcesBeside() });

describe("generated files", () => {
  it("equal the committed files, and no obsolete file is left (otherwise run npm run generate)", () => {
    expect(stale(formatted(generate()), MARK)).toEqual({ differing: [], left: [] });
  });

  it("are the same in every run", () => {
    expect(generate()).toEqual(generate());
  });

  it("name the generator in their first line", () => {
    for (const [path, text] of generate()) {
      if (path !== "schema.json") expect(text.split("\n", 1)[0]).toContain(MARK);
    }
  });

  it("are stale if they differ, are missing, or are obsolete", () => {
    const files = formatted(generate());
    const job = files.get("sdk/scheduler/job.ts") ?? "";
    files.delete("sdk/secrets/queueRole.ts");
    files.set("sdk/scheduler/job.ts", job.replace("Job", "Ship"));
    files.set("sdk/scheduler/ship.ts", job);
    expect(stale(files, MARK)).toEqual({
      differing: ["sdk/scheduler/job.ts", "sdk/scheduler/ship.ts"],
      left: ["sdk/secrets/queueRole.ts"],
    });
  });
});
