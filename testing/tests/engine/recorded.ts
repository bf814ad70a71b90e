import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EngineEvent } from "../../engine/events";

/** The recordings of the Pulumi CLI that `fixtures/record.cjs` writes. */
export const FIXTURES = join(__dirname, "fixtures");

/** The passphrase and the secrets of the recorded stack. */
export const PASSPHRASE = "a passphrase of the tests";
export const SECRETS = { code: "hidden-2", north: "hidden-1", token: "hidden-3", password: "hidden-4" };

/** One operation of the CLI: its events and its output. */
export interface Recording {
  readonly name: string;
  readonly preview: boolean;
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
  /** The same operation with `--diff`. */
  readonly diff?: { readonly stdout: string; readonly stderr: string };
  readonly events: readonly EngineEvent[];
}

export function recordings(): readonly Recording[] {
  return JSON.parse(readFileSync(join(FIXTURES, "operations.json"), "utf8"));
}

export const recordedText = (...path: string[]): string =>
  readFileSync(join(FIXTURES, "state", ...path), "utf8");

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "engine-"));
  removals.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A folder with a copy of the recorded backend of the CLI. */
export function copyOfRecordedState(): string {
  const folder = temporaryFolder();
  cpSync(join(FIXTURES, "state", "backend"), join(folder, ".pulumi"), { recursive: true });
  return folder;
}

const removals: (() => void)[] = [];

afterEach(() => {
  for (const remove of removals.splice(0)) remove();
});
