import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { environmentOf, openTrial, TEST_TOKENS } from "../../testing";
import { programOf } from "../command/programOf";
import { rawState } from "../discover/terraform/states";
import { compiled } from "../generate/compiled";
import { blocksOf, pageAt, ROOT, underHeading } from "./pages";

const run = promisify(execFile);

interface Shape {
  readonly $ref?: string;
  readonly type?: string;
  readonly items?: Shape;
  readonly additionalProperties?: Shape;
  readonly oneOf?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
}
interface Schema {
  readonly resources: Readonly<Record<string, { readonly inputProperties: Readonly<Record<string, Shape>> }>>;
  readonly types: Readonly<Record<string, Shape>>;
}
const schema: Schema = JSON.parse(readFileSync(join(ROOT, "schema.json"), "utf8"));

/** Whether a value of this shape can have a property at this path, which omits lists and maps. */
function has(shape: Shape | undefined, path: readonly string[]): boolean {
  if (shape === undefined) return false;
  if (shape.$ref?.startsWith("#/types/")) return has(schema.types[shape.$ref.slice("#/types/".length)], path);
  if (shape.oneOf) return shape.oneOf.some((one) => has(one, path));
  const inner = shape.items ?? shape.additionalProperties;
  if (inner) return path.length === 0 || has(inner, path);
  const [first, ...rest] = path;
  return first === undefined || has(shape.properties?.[first], rest);
}

const PAGES = ["nomad", "tfe", "vault", "consul"];

/** The properties of each resource that the pages name. */
const mappings = PAGES.flatMap((page) => {
  const sections = pageAt(`docs/coming-from/${page}.md`).split("\n## ");
  return sections.flatMap((section) => {
    const [, type] = /^`\w+` → `([\w.]+)`/.exec(section) ?? [];
    if (type === undefined) return [];
    const rows = [...section.matchAll(/^\|[^|]*\|([^|]*)\|/gm)].map(([, ours = ""]) => ours);
    const names = rows.flatMap((ours) => [...ours.matchAll(/`([\w.]+)`/g)].map(([, path = ""]) => path));
    // The table's header names the type itself.
    return [{ page, type, paths: names.filter((name) => name !== type) }];
  });
});

test.each(mappings)("$page: every property that the page names for $type exists", ({ type, paths }) => {
  const resource = schema.resources[`quarterdeck:${type.replace(".", ":")}`];
  expect(paths.length).toBeGreaterThan(0);
  const properties = resource?.inputProperties ?? {};
  expect(paths.filter((path) => !has({ properties }, path.split(".")))).toEqual([]);
});

test("the pages name more than 150 properties, and only existing resources", () => {
  expect(mappings.flatMap(({ paths }) => paths).length).toBeGreaterThan(150);
  const named = PAGES.flatMap((page) =>
    [
      ...pageAt(`docs/coming-from/${page}.md`).matchAll(
        /`((?:workspaces|scheduler|secrets|mesh)\.[A-Z]\w+)`/g,
      ),
    ].map(([, type = ""]) => type),
  );
  expect(named.filter((type) => !(`quarterdeck:${type.replace(".", ":")}` in schema.resources))).toEqual([]);
});

test("each page has pairs of HCL and TypeScript, and every TypeScript program compiles", () => {
  const programs = PAGES.flatMap((page) => {
    const text = pageAt(`docs/coming-from/${page}.md`);
    const shown = blocksOf(text, "ts");
    expect(shown.length).toBeGreaterThan(0);
    expect(blocksOf(text, "hcl")).toHaveLength(shown.length);
    return shown.map((program, index) => [`docs/coming-from-${page}-${index}.ts`, program] as const);
  });
  expect(compiled(new Map(programs))).toEqual([]);
});

/** An object as the other provider creates it, and the product's authentication header. */
const MADE = {
  nomad: {
    service: "scheduler",
    header: "x-nomad-token",
    method: "POST",
    path: "/v1/jobs",
    state: {
      at: "nomad_job.web",
      instances: [{ attributes: { id: "web", namespace: "default", region: "global" } }],
    },
    body: {
      Job: { ID: "web", TaskGroups: [{ Name: "front", Tasks: [{ Name: "server", Driver: "docker" }] }] },
    },
  },
  consul: {
    service: "mesh",
    header: "x-consul-token",
    method: "PUT",
    path: "/v1/config",
    state: {
      at: "consul_config_entry_service_defaults.web",
      instances: [{ attributes: { id: "web", name: "web", namespace: "", partition: "" } }],
    },
    body: { Kind: "service-defaults", Name: "web", Protocol: "http", MaxInboundConnections: 64 },
  },
  vault: {
    service: "secrets",
    header: "x-vault-token",
    method: "POST",
    path: "/v1/rabbitmq/roles/orders",
    state: {
      at: "vault_rabbitmq_secret_backend_role.orders",
      instances: [{ attributes: { id: "rabbitmq/roles/orders", backend: "rabbitmq", name: "orders" } }],
    },
    body: { tags: "monitoring", vhosts: '{"/":{"configure":"","write":"","read":".*"}}' },
  },
  tfe: {
    service: "workspaces",
    header: "authorization",
    method: "POST",
    path: "/api/v2/organizations/acme/workspaces",
    state: (id: string) => ({
      at: "tfe_workspace.network",
      instances: [{ attributes: { id, organization: "acme", name: "network" } }],
    }),
    body: { data: { type: "workspaces", attributes: { name: "network", description: "The network" } } },
  },
} as const;

test.each(PAGES)(
  "the steps on the page %s adopt an existing object without a write, and then show no changes",
  async (page) => {
    const made = MADE[page as keyof typeof MADE];
    const [imports = "", removal = ""] = blocksOf(
      underHeading(pageAt(`docs/coming-from/${page}.md`), "## Migrate existing objects"),
      "sh",
    );
    const commandsIn = (steps: string) =>
      steps
        .trim()
        .split("\n")
        .map((line) => line.split(/ {2,}/)[0] ?? "");
    const [pull, asked = "", ...after] = commandsIn(imports);
    expect(pull).toBe("terraform state pull > state.json");
    expect(after).toEqual(["pulumi config set --secret <name>", "pulumi up", "pulumi preview"]);
    const [plan, check = "", apply] = commandsIn(removal);
    expect([plan, apply]).toEqual([
      "terraform plan -out tfplan && terraform show -json tfplan > plan.json",
      "terraform apply tfplan",
    ]);

    const folder = mkdtempSync(join(tmpdir(), "migration-"));
    const trial = await openTrial({ program: async () => undefined });
    /** The writes that the server applied: it rejects the create of an existing object, which is then adopted. */
    const carriedOut = async () =>
      (await trial.stub.requests())
        .filter(({ method, status }) => !["GET", "LIST"].includes(method) && Number(status) < 400)
        .map(({ method, path }) => `${method} ${path}`);
    try {
      const token = TEST_TOKENS[made.service];
      const answer = await fetch(trial.stub.addresses[made.service] + made.path, {
        method: made.method,
        headers: {
          [made.header]: made.header === "authorization" ? `Bearer ${token}` : token,
          "content-type": made.service === "workspaces" ? "application/vnd.api+json" : "application/json",
        },
        body: JSON.stringify(made.body),
      });
      expect(answer.ok).toBe(true);
      const { data } = (await answer.json().catch(() => ({}))) as { data?: { id: string } };
      const state = rawState(typeof made.state === "function" ? made.state(data?.id ?? "") : made.state);
      writeFileSync(join(folder, "state.json"), state);
      const env = { ...process.env, ...environmentOf(trial.stub) };
      const quarterdeck = (command: string, ...more: readonly string[]) => {
        const args = command.replace("npx quarterdeck ", "").split(" ");
        return run(process.execPath, [join(ROOT, "cli/quarterdeck.js"), ...args, ...more], {
          env,
          cwd: folder,
        });
      };
      // Readers of the page have a selected stack; here the settings come from the environment.
      await quarterdeck(asked, "--no-stack");
      const program = readFileSync(join(folder, "migration/index.ts"), "utf8");
      expect(program).toContain("adopt: true");
      trial.stack.workspace.program = programOf(program);
      const { summary } = await trial.stack.up();
      expect(summary.resourceChanges).toEqual({ create: 2 });
      const { changeSummary } = await trial.stack.preview();
      expect(changeSummary).toEqual({ same: 2 });
      expect(await carriedOut()).toEqual([`${made.method} ${made.path}`]);
      const [{ address }] = JSON.parse(readFileSync(join(folder, "migration/resources.json"), "utf8"));
      writeFileSync(
        join(folder, "plan.json"),
        JSON.stringify({
          format_version: "1.2",
          configuration: { root_module: {} },
          resource_changes: [{ address, mode: "managed", change: { actions: ["forget"] } }],
        }),
      );
      expect((await quarterdeck(check)).stderr).toContain("deletes nothing");
    } finally {
      rmSync(folder, { recursive: true });
      await trial.close();
    }
  },
  120_000,
);
