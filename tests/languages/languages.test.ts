import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startStub, TEST_TOKENS } from "../../testing";
import { areFound, counted, Project, settingsOf } from "./project";

/** The programs that a language needs in addition to the CLI. */
const LANGUAGES = {
  python: ["pulumi-language-python", "python3"],
  go: ["pulumi-language-go", "go"],
};

for (const [language, programs] of Object.entries(LANGUAGES)) {
  const tried = areFound("pulumi", ...programs) ? test : test.skip;
  tried(
    `the ${language} example gets its SDK from init, is deployed, shows no changes, then drift, and is destroyed`,
    async () => {
      const stub = await startStub();
      const project = new Project(`examples/${language}`, {
        ...settingsOf(stub),
        GOFLAGS: "-mod=mod",
      });
      try {
        expect(await project.outputOf("quarterdeck", "init")).toContain("Added package");
        expect(readFileSync(join(project.folder, "Pulumi.yaml"), "utf8")).toMatch(
          /packages:\n +quarterdeck: \.\/node_modules\/pulumi-quarterdeck\/plugin/,
        );
        await project.outputOf("pulumi", "stack", "init", "test");
        await project.outputOf("pulumi", "config", "set", "--secret", "identityProviderToken", "a-token");

        const made = await project.outputOf("pulumi", "up", "--yes", "--skip-preview");
        expect(counted(made)).toBe("+ 8 created");
        expect(counted(await project.outputOf("pulumi", "preview"))).toBe("8 unchanged");
        const state = await project.outputOf("pulumi", "stack", "export");
        expect(state).toContain("quarterdeck:secrets:MfaMethod");
        expect(state).not.toContain("a-token");

        const headers = {
          authorization: `Bearer ${TEST_TOKENS.workspaces}`,
          "content-type": "application/vnd.api+json",
        };
        const at = `${stub.addresses.workspaces}/api/v2/organizations/acme/workspaces/staging-data`;
        const attributes = { description: "theirs" };
        const body = JSON.stringify({ data: { type: "workspaces", attributes } });
        expect((await fetch(at, { method: "PATCH", headers, body })).status).toBe(200);
        const drift = await project.outputOf("pulumi", "refresh", "--preview-only", "--diff");
        expect(counted(drift)).toBe("~ 1 to update 7 unchanged");
        expect(drift).toMatch(/description *: "The data layer of staging" => "theirs"/);

        // The other user's edit also prevents a delete until a refresh.
        const reverted = await project.outputOf("pulumi", "up", "--yes", "--skip-preview", "--refresh");
        expect(counted(reverted)).toBe("~ 1 updated 7 unchanged");
        expect(counted(await project.outputOf("pulumi", "destroy", "--yes", "--skip-preview"))).toBe(
          "- 8 deleted",
        );
        expect((await fetch(at, { headers })).status).toBe(404);
        console.log(`${language}: 8 created, 8 unchanged, 1 drift, 1 updated, 8 deleted`);
      } finally {
        project.remove();
        await stub.stop();
      }
    },
    1_200_000,
  );
}
