import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CONTRACTS } from "../../tools/generate/contracts";
import { pathsOf } from "../../tools/generate/contracts/contract";
import { casesOf, unusedPatterns } from "./cases";
import { lostFields, wronglyKnown, wronglyTreated } from "./checks";
import { mesh } from "./mesh";
import { scheduler } from "./scheduler";
import { secrets } from "./secrets";
import { workspaces } from "./workspaces";

const products = [mesh, scheduler, secrets, workspaces];

const PASCAL = /(?<=")[A-Z][A-Za-z0-9]+(?=")|\b[A-Z][A-Za-z0-9]+(?=:)/g;
const WORDS: Readonly<Record<string, RegExp>> = {
  mesh: PASCAL,
  scheduler: PASCAL,
  workspaces: /(?<=")[a-z][a-z-]*(?=")|\b[a-z]+(?=:)/g,
  secrets: /(?<=")[a-z][a-z0-9_]*(?=")|\b[a-z][a-z0-9_]*(?=:)/g,
};

describe.each(products)("the mock server of $service", (product) => {
  const names = namesOf(product.service);
  const cases = casesOf(product);

  test("has only exceptions that apply to a field", () => {
    expect(unusedPatterns(product, cases)).toEqual([]);
  });

  describe.each(cases)("accepts, in the requests of $token,", (of) => {
    test("each offered field, and returns its value", async () => {
      expect(await lostFields(product, of)).toEqual([]);
    });

    test("other fields of the contract only as expected", async () => {
      expect(await wronglyTreated(product, of)).toEqual([]);
    });

    test("no field that the contract does not have", async () => {
      expect(await wronglyKnown(product, of, names)).toEqual([]);
    });
  });
});

/** The names of all fields of a service, and every word of the source of its mock server that can be such a name. */
function namesOf(service: string): string[] {
  const fields = CONTRACTS.flatMap(({ resources }) => Object.entries(resources))
    .filter(([token]) => token.startsWith(`${service}:`))
    .flatMap(([, contract]) => pathsOf(contract.fields).map((path) => path.split(".").at(-1) ?? ""));
  const folder = join(__dirname, "../../testing/stub/services", service);
  const words = globSync("**/*.ts", { cwd: folder }).flatMap(
    (file) => readFileSync(join(folder, file), "utf8").match(WORDS[service] ?? /(?!)/g) ?? [],
  );
  return [...new Set([...fields, ...words])].sort();
}
