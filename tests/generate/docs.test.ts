import { inTypeScript } from "../../cli/programs/typescript";
import { catalog } from "../../provider/catalog";
import { checksByRejection, deletesChecked } from "../../provider/core/language/creation";
import { factsOf } from "../../provider/core/language/facts";
import { fieldsOf } from "../../provider/core/language/fields";
import { absenceProofOf } from "../../provider/core/language/reads";
import { hasLifecycle, object } from "../../provider/core/language/resource";
import { del } from "../../provider/core/language/route";
import { commonSettings, environmentName } from "../../provider/core/language/settings";
import { repeatableWrite } from "../../provider/core/language/writes";
import { allFunctions } from "../../provider/functions";
import { resourcePage } from "../../tools/generate/docs";
import { configurationPage } from "../../tools/generate/docsConfiguration";
import { endpointsPage } from "../../tools/generate/docsEndpoints";
import { functionPageName, functionPages } from "../../tools/generate/docsFunctions";
import { referenceIndex } from "../../tools/generate/docsIndex";
import { smallestProgram } from "../../tools/generate/examples/smallest";
import { nounTitle } from "../../tools/generate/products";
import { ruleSentences } from "../../tools/generate/ruleSentences";
import { compiled } from "./compiled";
import { exampleDefinition, exampleLifecycle } from "./exampleDefinition";
import { sourcesBeside } from "./generated";

const definitions = Object.values(catalog).map((load) => load());
const { examples } = sourcesBeside();

/** The cells of the first table row that begins with this name. */
function row(page: string, name: string): string[] {
  return rows(page, name)[0] ?? [];
}

/** The cells of every table row that begins with this name: a nested member may have the name of a property. */
function rows(page: string, name: string): string[][] {
  const lines = page.split("\n").filter((text) => text.startsWith(`| \`${name}\` |`));
  return lines.map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe("page of a resource", () => {
  it("documents every field, every rule, the ID and the proof of a deletion", () => {
    for (const definition of definitions) {
      const page = resourcePage(definition, examples[definition.token]);
      for (const { name, facts } of fieldsOf(definition).filter((field) => !field.name.startsWith("__"))) {
        const documented = rows(page, name).map((cells) => cells.join(" "));
        expect(documented.join("\n")).toContain(facts.doc.replaceAll("|", "\\|"));
      }
      for (const sentence of ruleSentences(definition)) expect(page).toContain(`- ${sentence}\n`);
      for (const part of [definition.where.id.template, definition.doc]) {
        expect(page).toContain(part);
      }
      if (hasLifecycle(definition, "object")) {
        const { deletion, reads } = definition.life;
        expect(page).toContain(absenceProofOf(definition.service, reads).evidence);
        expect(page).toContain(deletion.kind === "stays" ? deletion.as : (deletion.doc ?? ""));
      }
      expect(page).not.toContain("__");
    }
  });

  it("marks properties of which one is required, also for nested members and functions' arguments", () => {
    const requiredOf = (page: string, name: string) => rows(page, name).map(([, , required]) => required);
    const pageOf = (token: string) =>
      definitions
        .filter((definition) => definition.token === token)
        .map((one) => resourcePage(one, undefined))[0] ?? "";
    expect(requiredOf(pageOf("scheduler:Job"), "hcl")).toEqual(["one of `spec`, `json` and `hcl`"]);
    expect(requiredOf(pageOf("workspaces:Workspace"), "oauthTokenId")).toEqual([
      "one of `oauthTokenId` and `githubAppInstallationId`",
    ]);
    const functions = new Map(functionPages(allFunctions(), {})).get(
      `docs/reference/${functionPageName("workspaces")}`,
    );
    expect(requiredOf(functions ?? "", "workspaceId")[0]).toBe("one of `workspaceId` and `name`");
  });

  it("marks replacing properties, but not nested members with the name of one", () => {
    const route = definitions.find(({ token }) => token === "mesh:HttpRoute");
    const [own = [], ...inside] = rows(resourcePage(route ?? exampleDefinition, undefined), "name");
    const page = resourcePage(route ?? exampleDefinition, undefined);
    expect(page).toContain("| Name | Type | Required | Replaces |");
    expect(own.slice(2, 4)).toEqual(["yes", "yes"]);
    expect(inside.length).toBeGreaterThan(3);
    // Tables of nested members have no column "Replaces".
    expect(inside.filter((cells) => cells.length > own.length)).toEqual([]);
    expect(page.split("\n").filter((line) => line.includes("| Replaces |"))).toHaveLength(2);
  });

  it("describes the consequences of a field's facts", () => {
    const page = resourcePage(exampleDefinition, undefined);
    expect(page).toContain("| Name | Type | Required | Default | Replaces | If removed | Description |");
    const [, type, required] = row(page, "key");
    expect([type, required]).toEqual(["[`string \\| SecretSource`](../secrets-and-state.md)", "yes"]);
    const last = (name: string) => row(page, name).at(-1);
    expect(last("key")).toBe(
      "The key. Secret. Write-only: the server does not return it, so drift is not detected. Sent with every write.",
    );
    const [REPLACES, REMOVED] = [4, 5];
    expect(row(page, "name")[REPLACES]).toBe("yes");
    expect(row(page, "berths")[REPLACES]).toBe("yes (delete first)");
    expect(row(page, "depth")[REPLACES]).toBe("");
    expect(row(page, "depth")[3]).toBe("`7`");
    expect(row(page, "depth")[REMOVED]).toBe("reset to `7`");
    expect(last("light")).toContain("because the server resets it if it is omitted");
    expect(row(page, "side")[REMOVED]).toBe("cleared");
    expect(last("ships")).toContain("entries added by others are kept");
    expect(last("ships")).toContain("The order is not significant.");
    expect(row(page, "signs")[REMOVED]).toBe("unchanged");
    expect(last("rest")).toContain('Compared as a duration: `"1m"` and `60` are equal.');
    expect(last("plan")).toContain("Secret if it contains `Combination` or `Code`.");
    expect(last("plan")).toContain("Managed as one unit: fields added by others are removed.");
    expect(row(page, "oldName").join(" ")).toContain("**Deprecated:** write `name`.");
    expect(row(page, "pass").at(-1)).toBe("What opens the gate. Secret.");
    expect(row(page, "street")).toContain("The street.");
  });

  it("names the other forms of a value that are accepted", () => {
    const page = (token: string) =>
      definitions.filter((one) => one.token === token).map((one) => resourcePage(one, undefined, []))[0] ??
      "";
    expect(row(page("mesh:ServiceDefaults"), "spec").join()).toContain(
      "Also accepts the field names of the server's API.",
    );
    expect(row(page("secrets:QueueRole"), "tags").join()).toContain("Also accepts a comma-separated string");
  });

  it("describes conflicts and deletes according to the service's capabilities", () => {
    const check = repeatableWrite({ token: "Index", requestParts: () => ({}), isNeverUpdated: () => false });
    const deletion = deletesChecked(del("/quays/{+name}"));
    const unchecked = resourcePage(exampleDefinition, undefined);
    expect(unchecked).toContain("The API has no check-and-set.");
    expect(unchecked).toContain("A create first checks whether the object exists.");
    expect(unchecked).toContain("A delete sends `DELETE /v1/quays/{name}`. Quarterdeck re-reads the object");
    const page = resourcePage(
      { ...exampleDefinition, life: object({ ...exampleLifecycle, check, deletion }) },
      undefined,
    );
    expect(page).toContain("Creates and updates use check-and-set on `Index`.");
    expect(page).toContain("The delete uses check-and-set on `Index`");
    expect(
      resourcePage({ ...exampleDefinition, life: object({ ...exampleLifecycle, check }) }, undefined),
    ).toContain("Quarterdeck re-reads the object right before the delete.");
    const refusing = object({ ...exampleLifecycle, creation: { existing: checksByRejection(() => true) } });
    expect(resourcePage({ ...exampleDefinition, life: refusing }, undefined)).toContain(
      "The server rejects the create of an existing object.",
    );
  });

  it("shows a program that compiles, also if the program is generated", () => {
    const programs = definitions.flatMap((definition) => {
      const [, shown = ""] =
        /```ts\n(.*?)```/s.exec(resourcePage(definition, examples[definition.token])) ?? [];
      const name = definition.token.replace(":", "-");
      return [
        [`docs/shown-${name}.ts`, shown],
        [`docs/smallest-${name}.ts`, inTypeScript(smallestProgram(definition))],
      ] as const;
    });
    expect(programs.map(([, text]) => text.includes("new quarterdeck."))).not.toContain(false);
    expect(compiled(new Map(programs))).toEqual([]);
  });

  it("has examples only of existing resources and functions", () => {
    const tokens = [...Object.keys(catalog), ...allFunctions().map(({ token }) => token)];
    for (const token of Object.keys(examples)) expect(tokens).toContain(token);
  });
});

describe("pages of functions", () => {
  const functions = allFunctions();
  const pages = new Map(functionPages(functions, {}));
  const sectionOf = (token: string) => {
    const [service = "", name = ""] = token.split(":");
    const page = pages.get(`docs/reference/${functionPageName(service)}`) ?? "";
    return page.split(/^## /m).find((text) => text.startsWith(`${name}\n`)) ?? "";
  };

  it("show programs that compile", () => {
    const shown = functions.flatMap(({ token }): [string, string][] =>
      examples[token] === undefined ? [] : [[`docs/shown-${token.replace(":", "-")}.ts`, examples[token]]],
    );
    expect(shown).not.toEqual([]);
    expect(compiled(new Map(shown))).toEqual([]);
  });

  it("document that a filter is a string or an Expression", () => {
    expect(sectionOf("scheduler:getJobs")).toContain("| `filter` | `string \\| Expression` |");
  });

  it("document every argument and every property of the result", () => {
    for (const definition of functions) {
      const section = sectionOf(definition.token);
      for (const schema of Object.values({ ...definition.fields, ...definition.result })) {
        const { doc } = factsOf(schema);
        expect(doc).not.toBe("");
        expect(section).toContain(doc.replaceAll("|", "\\|"));
      }
      expect(section).toContain(`${definition.doc}\n`);
    }
  });

  it("list the forms of a function", () => {
    expect(sectionOf("workspaces:getWorkspaces")).toContain(
      "Forms: `getWorkspaces`, `getWorkspacesOutput`, `eachWorkspace`.",
    );
    expect(sectionOf("mesh:watchConfigEntries")).toContain("Form: `watchConfigEntries`.");
    expect(sectionOf("secrets:getQueueCredentials")).toContain(
      "so getQueueCredentials always fails. Use the resource QueueCredentials, which issues the credentials once and stores them in the state.",
    );
    expect(sectionOf("secrets:getCloudStaticCredentials")).toContain(
      "Form: `getCloudStaticCredentialsOutput` only. The result is always secret. A preview sends no request, and the result is unknown there.",
    );
  });

  it("are linked from the index", () => {
    const index = referenceIndex(definitions, functions);
    for (const { token } of functions) {
      const [service = "", name = ""] = token.split(":");
      expect(index).toContain(`(${service}-functions.md#${name.toLowerCase()})`);
    }
  });
});

describe("product names", () => {
  it("are in the title and the first lines of every resource's page, with a link to the product's documentation", () => {
    for (const definition of definitions) {
      const [service = "", type = ""] = definition.token.split(":");
      const page = resourcePage(definition, undefined);
      const { docs = "" } = definition.product ?? {};
      const title = nounTitle(definition) ?? "";
      expect(title).toContain(definition.service.products.server);
      expect(page).toContain(`\n# ${service}.${type}: ${title}\n`);
      expect(docs).toMatch(/^https:\/\//);
      expect(page).toContain(`(${docs})`);
    }
  });

  it("replace the specification's path segments and mounts, but not on the contributors' page", () => {
    const { endpoints } = sourcesBeside();
    for (const definition of definitions) {
      const page = resourcePage(definition, undefined, endpoints);
      expect(page).not.toMatch(/extidp|\{(?:mq|cloud|ldap)_mount\}|\{\+?mount\}\/config|Specification: /);
    }
    expect(endpointsPage(endpoints, definitions)).toContain("{mq_mount}");
    expect(endpointsPage(endpoints, definitions)).toContain(
      "| `secrets:QueueRole` | A2. Message-queue engine |",
    );
  });
});

describe("ruleSentences", () => {
  it("returns one sentence per rule", () => {
    expect(ruleSentences(exampleDefinition)).toEqual([
      "`berths`: needs depth.",
      "`side`: must be lit on north.",
      "`plan`: holds locks.",
      "`name`: is unthinkable.",
    ]);
  });
});

describe("configuration page and index", () => {
  it("list every setting of every service with its environment variable", () => {
    const page = configurationPage(definitions);
    for (const { service } of definitions) {
      for (const setting of Object.keys({ ...commonSettings, ...service.settings })) {
        expect(page).toContain(`| \`${setting}\` | \`${environmentName(service, setting)}\``);
      }
    }
  });

  it("link every resource", () => {
    const index = referenceIndex(definitions);
    for (const { token } of definitions) expect(index).toContain(`(${token.replace(":", "-")}.md)`);
    expect(index).toContain("(configuration.md)");
  });
});
