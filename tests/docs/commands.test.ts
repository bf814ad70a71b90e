import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { environmentOf, TEST_TOKENS } from "../../testing";
import { Desk } from "./desk";
import { blocksOf, pageAt, underHeading } from "./pages";

const [onTheStub = "", onNomad = ""] = blocksOf(underHeading(pageAt("README.md"), "## The first hour"), "sh");

/** The commands of a page, in order. */
const commandsOf = (page: string) => blocksOf(pageAt(`docs/${page}.md`), "sh").join("\n");

let desk: Desk;
beforeAll(async () => {
  desk = await Desk.open();
  // A project with a stack, as the README's first hour leaves it.
  const made = onTheStub.split("\n").slice(0, 3).join("\n");
  const upped = onNomad.replace(/^npx quarterdeck doctor.*$/m, "");
  expect(await desk.typed(`${made}\n${upped}`)).toMatch(/\+ 2 created/);
}, 120_000);
afterAll(() => desk.close());

/** Types a page's commands into the project. */
const typed = (page: string, change: (commands: string) => string = (commands) => commands) =>
  desk.typed(change(commandsOf(page)), { ...environmentOf(desk.stub), STAGING_TOKEN: "hush" }, "shop");

const ofProduction = (commands: string) => commands.replaceAll("--stack prod ", "--stack production ");

test("what a doctor is asked for on its page it says, of a stack, of an export and of the environment", async () => {
  await desk.typed("pulumi stack export --show-secrets --file export.json", {}, "shop");
  // A machine without the CLI has something to do, which is no failure of the page.
  const printed = await typed("doctor", (commands) =>
    commands.replace(/^npx quarterdeck doctor[^#\n]*/gm, "$& || [ $? = 2 ] "),
  );
  expect(printed).not.toMatch(/^failed/);
  expect(printed.match(/address, token from|token, address from/g)?.length).toBeGreaterThan(1);
  expect(printed).not.toContain(TEST_TOKENS.scheduler);
}, 120_000);

test("the page on environments gives a stack its settings", async () => {
  expect(await typed("environments")).not.toMatch(/^failed/);
  const settings = readFileSync(join(desk.folder, "shop/Pulumi.staging.yaml"), "utf8");
  expect(settings).toMatch(/address: https:/);
  expect(settings).toMatch(/token:\n +secure: /);
  expect(settings).not.toContain("hush");
  await desk.typed("pulumi stack select production", {}, "shop");
}, 120_000);

test("the page on installing makes a project, and moves one that is there to the plugin", async () => {
  await desk.typed("mkdir apart && cp shop/package.json shop/Pulumi.yaml apart/");
  expect(await desk.typed(commandsOf("install"), {}, "apart")).not.toMatch(/^failed/);
  expect(readdirSync(join(desk.folder, "apart/shop"))).toContain("Pulumi.yaml");
}, 120_000);

test("the page on lists tells what is there, and what of it no state has", async () => {
  const printed = await typed("list", ofProduction);
  expect(printed).not.toMatch(/^failed/);
  expect(printed).toContain("default/web");
}, 120_000);

test("the page on previews sets what is read before each update", async () => {
  expect(await typed("previews")).not.toMatch(/^failed/);
  expect(readFileSync(join(desk.folder, "shop/Pulumi.production.yaml"), "utf8")).toContain(
    "refreshBeforeUpdate: true",
  );
}, 120_000);

test("the page on the state shows what is in it", async () => {
  const printed = await typed("state", (commands) =>
    ofProduction(commands).replace("state orders", "state web"),
  );
  expect(printed).not.toMatch(/^failed/);
  expect(printed).toContain("scheduler:Job");
}, 120_000);

test("the page on requests logs one line for each, which name what they are for", async () => {
  const log = join(desk.folder, "requests.log");
  // Not every machine has the tool that picks lines of JSON.
  const printed = await typed("troubleshooting-requests", (commands) =>
    commands.replaceAll("/tmp/requests.log", log).replace(/^jq .*$/m, "pulumi refresh --yes --skip-preview"),
  );
  expect(printed).not.toMatch(/^failed/);
  const lines = await desk.typed("pulumi up", { QUARTERDECK_LOG: log }, "shop");
  expect(lines).not.toMatch(/^failed/);
}, 120_000);

test("the page on upgrading ends with a preview that changes nothing", async () => {
  const printed = await typed("upgrading");
  expect(printed).not.toMatch(/^failed/);
  expect(printed).toMatch(/2 unchanged/);
}, 120_000);
