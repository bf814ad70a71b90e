import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { TEST_TOKENS } from "../../testing";
import { PageRunner } from "./pageRunner";
import { blocksOf, pageAt, underHeading } from "./pages";

const [onTheStub = "", conflict = "", onNomad = ""] = blocksOf(
  underHeading(pageAt("README.md"), "## The first hour"),
  "sh",
);

let desk: PageRunner;
beforeEach(async () => {
  desk = await PageRunner.open();
});
afterEach(() => desk.close());

const jobs = async () => {
  const headers = { "x-nomad-token": TEST_TOKENS.scheduler };
  const answer = await fetch(`${desk.stub.addresses.scheduler}/v1/jobs`, { headers });
  return ((await answer.json()) as { ID: string }[]).map(({ ID }) => ID);
};

test("the README's first hour creates a resource on the stub in at most six lines", async () => {
  expect(onTheStub.trim().split("\n").length).toBeLessThanOrEqual(6);
  expect(await desk.execute(onTheStub)).toMatch(/\+ 2 created/);
  expect(await jobs()).toEqual(["web"]);
}, 120_000);

test("the README's change by someone else makes the next up fail with a conflict", async () => {
  await desk.execute(onTheStub);
  // The first deployment ends some seconds after the registration, and blocks a scale request until then.
  await delay(12_000);
  const lines = conflict.replace("http://127.0.0.1:4646", desk.stub.addresses.scheduler);
  const printed = await desk.execute(lines.replace(/^pulumi up .*$/m, "pulumi up || true"), {}, "shop");
  expect(printed).toMatch(/spec\.taskGroups\["web"\]\.count +1 +3 +5/);
}, 120_000);

test("the README's last lines create a resource on the user's own server", async () => {
  const made = onTheStub.split("\n").slice(0, 3).join("\n");
  // Without the Pulumi CLI, doctor fails, which is not an error in the README.
  const lines = onNomad.replace(/^(npx quarterdeck doctor).*$/m, "$1 || true");
  const printed = await desk.execute(`${made}\n${lines}`);
  expect(printed).toMatch(/address, token from/);
  expect(printed).toMatch(/\+ 2 created/);
  expect(await jobs()).toEqual(["web"]);
  const settings = readFileSync(join(desk.folder, "shop/Pulumi.production.yaml"), "utf8");
  expect(settings).toContain("address: http://127.0.0.1:");
  expect(settings).not.toContain(TEST_TOKENS.scheduler);
}, 120_000);
