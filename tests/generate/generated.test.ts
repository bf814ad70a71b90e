import { catalog } from "../../provider/catalog";
import { allFunctions } from "../../provider/functions";
import { generatedFiles, MARK } from "../../tools/generate";
import { formatted, sourcesBeside, stale } from "./generated";

const definitions = Object.values(catalog).map((load) => load());
const generate = () => generatedFiles({ definitions, functions: allFunctions(), ...sourcesBeside() });

describe("what is generated", () => {
  it("is what is committed, and nothing is left of what is generated no more: else run npm run generate", () => {
    expect(stale(formatted(generate()), MARK)).toEqual({ differing: [], left: [] });
  });

  it("is the same every time", () => {
    expect(generate()).toEqual(generate());
  });

  it("says in its first line what made it", () => {
    for (const [path, text] of generate()) {
      if (path !== "schema.json") expect(text.split("\n", 1)[0]).toContain(MARK);
    }
  });

  it("shows as stale where it differs, is missing, or is left over", () => {
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
