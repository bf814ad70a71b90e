import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { environmentOf, TEST_TOKENS } from "../../testing";
import { PageRunner } from "./pageRunner";
import { blocksOf, pageAt, underHeading } from "./pages";

const [onTheStub = "", , onNomad = ""] = blocksOf(
  underHeading(pageAt("README.md"), "## The first hour"),
  "sh",
);

/** The commands of a page, or of a section of it, in order. */
function commandsOf(page: string, heading?: string): string {
  const text = pageAt(`docs/${page}.md`);
  return blocksOf(heading === undefined ? text : underHeading(text, heading), "sh").join("\n");
}

let desk: PageRunner;
beforeAll(async () => {
  desk = await PageRunner.open();
  // A project with a stack, as after the README's first hour.
  const made = onTheStub.split("\n").slice(0, 3).join("\n");
  const upped = onNomad.replace(/^npx quarterdeck doctor.*$/m, "");
  expect(await desk.execute(`${made}\n${upped}`)).toMatch(/\+ 2 created/);
}, 120_000);
afterAll(() => desk.close());

/** Runs commands in the project. */
const run = (commands: string) =>
  desk.execute(commands, { ...environmentOf(desk.stub), STAGING_TOKEN: "hush" }, "shop");

/** Runs a page's commands in the project. */
const execute = (page: string, change: (commands: string) => string = (commands) => commands) =>
  run(change(commandsOf(page)));

const ofProduction = (commands: string) => commands.replaceAll("--stack prod ", "--stack production ");

test("the commands on the doctor page print the settings of a stack, of an export and of the environment", async () => {
  await desk.execute("pulumi stack export --show-secrets --file export.json", {}, "shop");
  // Without the Pulumi CLI, doctor exits with 2, which is not an error on the page.
  const printed = await execute("doctor", (commands) =>
    commands.replace(/^npx quarterdeck doctor[^#\n]*/gm, "$& || [ $? = 2 ] "),
  );
  expect(printed).not.toMatch(/^failed/);
  expect(printed.match(/address, token from|token, address from/g)?.length).toBeGreaterThan(1);
  expect(printed).not.toContain(TEST_TOKENS.scheduler);
}, 120_000);

test("the commands for multiple environments store the settings of a stack, with an encrypted token", async () => {
  expect(await run(commandsOf("install", "## Multiple environments"))).not.toMatch(/^failed/);
  const settings = readFileSync(join(desk.folder, "shop/Pulumi.staging.yaml"), "utf8");
  expect(settings).toMatch(/address: https:/);
  expect(settings).toMatch(/token:\n +secure: /);
  expect(settings).not.toContain("hush");
  await desk.execute("pulumi stack select production", {}, "shop");
}, 120_000);

test("the commands on the install page succeed in an existing project, and create a new one", async () => {
  await desk.execute("mkdir apart && cp shop/package.json shop/Pulumi.yaml apart/");
  const commands = ["## Create a project", "## Add Quarterdeck to an existing project"].map((heading) =>
    commandsOf("install", heading),
  );
  expect(await desk.execute(commands.join("\n"), {}, "apart")).not.toMatch(/^failed/);
  expect(readdirSync(join(desk.folder, "apart/shop"))).toContain("Pulumi.yaml");
}, 120_000);

test("the commands that list unmanaged objects print an existing job", async () => {
  const section = underHeading(pageAt("docs/taking-over.md"), "## List unmanaged objects");
  const commands = ofProduction(blocksOf(section, "sh").join("\n"));
  const printed = await desk.execute(commands, environmentOf(desk.stub), "shop");
  expect(printed).not.toMatch(/^failed/);
  expect(printed).toContain("default/web");
}, 120_000);

test("the commands on the previews page set refreshBeforeUpdate", async () => {
  expect(await execute("previews")).not.toMatch(/^failed/);
  expect(readFileSync(join(desk.folder, "shop/Pulumi.production.yaml"), "utf8")).toContain(
    "refreshBeforeUpdate: true",
  );
}, 120_000);

test("the commands on the page about the state print a resource of the state", async () => {
  const printed = await execute("secrets-and-state", (commands) =>
    ofProduction(commands).replace("state orders", "state web"),
  );
  expect(printed).not.toMatch(/^failed/);
  expect(printed).toContain("scheduler:Job");
}, 120_000);

test("the commands on the troubleshooting page succeed", async () => {
  const log = join(desk.folder, "requests.log");
  // Not every machine has jq.
  const printed = await execute("troubleshooting", (commands) =>
    commands.replaceAll("/tmp/requests.log", log).replace(/^jq .*$/m, "pulumi refresh --yes --skip-preview"),
  );
  expect(printed).not.toMatch(/^failed/);
  const lines = await desk.execute("pulumi up", { QUARTERDECK_LOG: log }, "shop");
  expect(lines).not.toMatch(/^failed/);
}, 120_000);

test("the commands on the page about guarantees end with a preview without changes", async () => {
  const printed = await execute("promises");
  expect(printed).not.toMatch(/^failed/);
  expect(printed).toMatch(/2 unchanged/);
}, 120_000);
