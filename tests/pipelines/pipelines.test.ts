import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TEST_TOKENS } from "../../testing";
import { cliOnPath } from "../../testing/tests/engine/comparison/engines";
import { IN_STACKS } from "../bridge";
import { type Jobs, jobsOfGitHub, jobsOfGitLab, PIPELINES, type Ran, runJob } from "./job";
import { type Bridge, checkOut, cliWorld, reconfigure, standInWorld, type World } from "./worlds";

jest.setTimeout(240_000);

const MERGE = "0123456789abcdef";
const platforms: Readonly<
  Record<string, { readonly jobs: Jobs; readonly env: Readonly<Record<string, string>> }>
> = {
  GitHub: { jobs: jobsOfGitHub(), env: { GITHUB_REPOSITORY: "acme/infra", GITHUB_SHA: MERGE } },
  GitLab: {
    jobs: jobsOfGitLab(),
    env: {
      CI_API_V4_URL: "https://gitlab.example.com/api/v4",
      CI_PROJECT_ID: "acme/infra",
      CI_MERGE_REQUEST_IID: "7",
      CI_COMMIT_SHA: MERGE,
    },
  },
};

interface Forge {
  readonly calls: readonly object[];
  readonly comments: readonly { readonly body: string }[];
  readonly issues: readonly { readonly title: string; readonly text: string; readonly open: boolean }[];
}

let folder: string;
let world: World | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pipelines-"));
  checkOut(folder, MERGE);
});
afterEach(async () => {
  await world?.close();
  world = undefined;
  rmSync(folder, { recursive: true, force: true });
});

const forge = (): Forge => JSON.parse(readFileSync(join(folder, "forge.json"), "utf8"));
/** All output so far. */
let logs = "";

/** Runs a job of a platform in the current world. */
async function job(platform: string, name: string, { env }: World): Promise<Ran> {
  const { jobs, env: own } = platforms[platform] ?? { jobs: new Map(), env: {} };
  const kept = join(folder, "review");
  const ran = await runJob(jobs.get(name) ?? [], {
    cwd: join(folder, "work"),
    kept,
    env: {
      PATH: `${join(folder, "bin")}:${process.env.PATH}`,
      HOME: join(folder, "home"),
      STAND_IN: folder,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "",
      ...env,
      ...own,
    },
  });
  logs += ran.log;
  if (name === "preview") change({ isReviewed: ran.ok });
  return ran;
}

function change(more: object): void {
  writeFileSync(join(folder, "forge.json"), JSON.stringify({ ...forge(), ...more }));
}

/** The life of a change: review, merge and drift detection. */
async function story(platform: string, bridge: Bridge, here: World): Promise<void> {
  logs = "";
  const run = (name: string) => job(platform, name, here);

  // A failed preview prints the reason, and is not a review.
  here.want("wrong");
  expect(await run("preview")).toMatchObject({ ok: false });
  expect(forge().comments.map(({ body }) => body)).toEqual([expect.stringContaining("The preview failed")]);
  expect(await run("apply")).toMatchObject({ ok: false, log: expect.stringContaining("no preview of") });

  // The reviewed changes are in one comment, and are applied.
  here.want("http");
  expect(await run("preview")).toMatchObject({ ok: true });
  const [{ body } = { body: "" }, ...more] = forge().comments;
  expect(more).toEqual([]);
  expect(body).toContain("Plan: 2 to create.");
  expect(body).toMatch(/\| `spec` \| \(none\) \| `\{"Protocol":"http"\}` \|/);
  expect(body).toMatch(/ConfigEntry api[\s\S]*QueueRole orders/);
  expect(body).toContain("[secret]");
  expect(body).not.toContain("__");
  expect(readdirSync(join(folder, "review")).includes("plan.sealed")).toBe(bridge === "plugin");
  const kept = readdirSync(join(folder, "review")).map((file) =>
    readFileSync(join(folder, "review", file), "utf8"),
  );
  expect(await here.applied()).toBeUndefined();
  expect(await run("apply")).toMatchObject({ ok: true });
  expect(await here.applied()).toBe("http");

  // Changes that differ from the review are not applied.
  here.want("http2");
  expect(await run("preview")).toMatchObject({ ok: true });
  expect(forge().comments[0]?.body).toMatch(/\{"Protocol":"http"\}` \| `\{"Protocol":"http2"\}/);
  here.want("tcp");
  const other = await run("apply");
  expect(other.log).toMatch(
    bridge === "plugin" ? /violates plan/ : /differs from the review: update urn:.*::api/,
  );
  expect(other.ok).toBe(false);
  expect(other.log).not.toContain("Updating (");
  here.want("http2");
  if (bridge === "plugin") {
    const file = join(folder, "review/plan.sealed");
    const plan = readFileSync(file, "utf8");
    const changed = Buffer.from(plan, "base64").map((byte, at) => (at === 60 ? byte ^ 1 : byte));
    writeFileSync(file, Buffer.from(changed).toString("base64"));
    expect(await run("apply")).toMatchObject({
      ok: false,
      log: expect.stringContaining("the encrypted plan was modified"),
    });
    writeFileSync(file, plan);
  }
  const configuration = readFileSync(join(folder, "work/Pulumi.production.yaml"));
  reconfigure(folder);
  expect(await run("apply")).toMatchObject({
    ok: false,
    log: expect.stringContaining("configuration changed after the review"),
  });
  expect(await here.applied()).toBe("http");
  writeFileSync(join(folder, "work/Pulumi.production.yaml"), configuration);
  expect(await run("apply")).toMatchObject({ ok: true });
  expect(await here.applied()).toBe("http2");

  // Drift has one issue, which is closed when the drift is gone.
  expect(await run("drift")).toMatchObject({ ok: true });
  expect(forge().issues).toEqual([]);
  for (const protocol of ["grpc", "tcp"]) {
    await here.changeOutside(protocol);
    expect(await run("drift")).toMatchObject({ ok: true });
    expect(forge().issues).toMatchObject([{ title: "Drift of production", open: true }]);
    expect(forge().issues[0]?.text).toContain(protocol);
  }
  await here.changeOutside();
  expect(await run("drift")).toMatchObject({ ok: true });
  expect(forge().issues).toMatchObject([{ open: false }]);

  const written = [logs, ...kept, JSON.stringify(forge().calls.map((call) => ({ ...call, input: "" })))].join(
    "\n",
  );
  for (const canary of ["canary-", ...Object.values(TEST_TOKENS)]) expect(written).not.toContain(canary);
}

// Two combinations of platform and bridge cover every script. A run of the tests uses one of them.
const combinations = [
  ["GitHub", "plugin"],
  ["GitLab", "dynamic"],
] as const;
test.each(IN_STACKS ? combinations : combinations.slice(0, 1))(
  "%s applies only reviewed changes, on the %s bridge",
  async (platform, bridge) => {
    world = await standInWorld(folder, bridge);
    await story(platform, bridge, world);
  },
);

(cliOnPath() ? test : test.skip).each([
  ["GitHub", "dynamic"],
  ["GitLab", "plugin"],
] as const)(
  "%s applies only reviewed changes with the Pulumi CLI, on the %s bridge",
  async (platform, bridge) => {
    world = await cliWorld(folder, bridge);
    await story(platform, bridge, world);
  },
);

test("every pipeline script is a step or part of another script, and every step is an existing script", () => {
  const named = Object.values(platforms).flatMap(({ jobs }) =>
    [...jobs.values()].flat().flatMap((step) => ("run" in step ? [step.run] : [])),
  );
  const steps = new Set(named.flatMap((run) => /^node pipelines\/(scripts\/\S+\.mjs)$/.exec(run)?.[1] ?? []));
  expect([...new Set(named)].filter((run) => !run.startsWith("node pipelines/scripts/"))).toEqual(["npm ci"]);
  const files = readdirSync(PIPELINES, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".mjs"),
  );
  const texts = files.map((file) => readFileSync(join(PIPELINES, file), "utf8"));
  const parts = files.filter((file) => texts.some((text) => text.includes(`/${file.split("/").at(-1)}"`)));
  expect(files.filter((file) => !steps.has(file) && !parts.includes(file))).toEqual([]);
  expect([...steps].filter((file) => !files.includes(file))).toEqual([]);
});
