import { spawn } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";

export const PIPELINES = resolve(__dirname, "../../examples/pipelines");

/** The environment variables of a step. */
type Env = Readonly<Record<string, string>>;

/** One step: a line of a shell, or an action of the platform. */
export type Step =
  | { readonly run: string; readonly env: Env }
  | { readonly uses: string; readonly with: Readonly<Record<string, unknown>> };

/** The jobs of a platform's own files, in the order in which the files name their steps. */
export type Jobs = ReadonlyMap<string, readonly Step[]>;

/** The values of the platform's expressions; any other expression is an error in the file. */
const EXPRESSIONS: Env = {
  "secrets.PULUMI_ACCESS_TOKEN": "canary-access",
  "secrets.PIPELINE_PLAN_KEY": "canary-key",
  "github.token": "canary-forge",
  "github.event.pull_request.number": "7",
};

function valued(env: Env = {}): Env {
  return Object.fromEntries(
    Object.entries(env).map(([name, text]) => [
      name,
      text.replace(/\$\{\{ (.+?) \}\}/g, (_, expression: string) => {
        const value = EXPRESSIONS[expression];
        if (value === undefined) throw new Error(`nothing is known of ${expression}`);
        return value;
      }),
    ]),
  );
}

interface Workflow {
  readonly env?: Env;
  readonly jobs: Readonly<
    Record<string, { readonly env?: Env; readonly steps: readonly (Step & { env?: Env })[] }>
  >;
}

/** The jobs of GitHub's workflows. */
export function jobsOfGitHub(): Jobs {
  const files = readdirSync(join(PIPELINES, "github"));
  return new Map(
    files.flatMap((file) => {
      const { env, jobs }: Workflow = parse(readFileSync(join(PIPELINES, "github", file), "utf8"));
      return Object.entries(jobs).map(([name, job]): [string, readonly Step[]] => [
        name,
        job.steps.map((step) =>
          "run" in step ? { run: step.run, env: valued({ ...env, ...job.env, ...step.env }) } : step,
        ),
      ]);
    }),
  );
}

/** The jobs of GitLab's file. */
export function jobsOfGitLab(): Jobs {
  const file = parse(readFileSync(join(PIPELINES, "gitlab/.gitlab-ci.yml"), "utf8"));
  const { variables, default: every, ...jobs } = file;
  const settings = {
    PULUMI_ACCESS_TOKEN: "canary-access",
    PIPELINE_PLAN_KEY: "canary-key",
    GITLAB_TOKEN: "canary-forge",
  };
  return new Map(
    Object.entries<{ script: string[]; artifacts?: { paths: string[] } }>(jobs).map(([name, job]) => [
      name,
      [
        ...[...every.before_script, ...job.script].map((run: string) => ({
          run,
          env: { ...settings, ...variables },
        })),
        ...(job.artifacts?.paths ?? []).map((path) => ({
          uses: "artifacts",
          with: { name: "review", path },
        })),
      ],
    ]),
  );
}

/** Actions of a platform that prepare a job. */
const SETS_UP = /^(?:actions\/checkout|actions\/setup-node|pulumi\/actions)@v\d+$/;
const KEEPS = /^(?:actions\/upload-artifact@v\d+|artifacts)$/;

/** The result of a job, and its log. */
export interface Ran {
  readonly ok: boolean;
  readonly log: string;
}

/** Runs a job's steps as the platform does: in a checkout, one after the other, until one fails. */
export async function runJob(
  steps: readonly Step[],
  { cwd, env, kept }: { readonly cwd: string; readonly env: Env; readonly kept: string },
): Promise<Ran> {
  for (const folder of ["review", "report"]) rmSync(join(cwd, folder), { recursive: true, force: true });
  let log = "";
  for (const step of steps) {
    if ("run" in step) {
      const { ok, output } = await shell(step.run, cwd, { ...env, ...step.env });
      log += `$ ${step.run}\n${output}`;
      if (!ok) return { ok, log };
    } else if (KEEPS.test(step.uses)) {
      expect(step.with.name).toBe("review");
      rmSync(kept, { recursive: true, force: true });
      cpSync(join(cwd, String(step.with.path)), kept, { recursive: true });
    } else expect(step.uses).toMatch(SETS_UP);
  }
  return { ok: true, log };
}

function shell(
  line: string,
  cwd: string,
  env: Env,
): Promise<{ readonly ok: boolean; readonly output: string }> {
  const child = spawn("sh", ["-ec", line], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  return new Promise((done, failed) => {
    child.once("error", failed).once("close", (code) => done({ ok: code === 0, output }));
  });
}
