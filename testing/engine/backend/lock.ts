import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { basename, join, relative } from "node:path";
import { Refusal } from "../refusal";
import { ATTRIBUTES, isMissing, removeObject, writeObject } from "./files";

/** A lock on a stack: only this process may change it until the release. */
export interface Lock {
  release(): void;
}

/**
 * Takes the lock like the CLI: it checks for locks, writes its own, and checks again. If two processes write at the same
 * time, each sees the other's lock and both fail, so two never run concurrently.
 */
export function takeLock(locks: string, root: string): Lock {
  const own = join(locks, `${randomUUID()}.json`);
  refuseWhereLocked(locks, root, own);
  const { username } = userInfo();
  writeObject(
    own,
    JSON.stringify({ pid: process.pid, username, hostname: hostname(), timestamp: new Date().toISOString() }),
  );
  const release = () => removeObject(own);
  try {
    refuseWhereLocked(locks, root, own);
  } catch (error) {
    release();
    throw error;
  }
  return { release };
}

/** Removes every lock of a stack, including those of other processes. */
export function breakLocks(locks: string): void {
  rmSync(locks, { recursive: true, force: true });
}

function refuseWhereLocked(locks: string, root: string, own: string): void {
  const others = lockFiles(locks).filter((path) => path !== own);
  if (others.length === 0) return;
  throw new Refusal(
    [
      `the stack is currently locked by ${others.length} lock(s). Either wait for the other process(es) to end ` +
        "or delete the lock file with `pulumi cancel`.",
      ...others.map((path) => `  file://${root}/${relative(root, path)}: ${describe(path)}`),
    ].join("\n"),
  );
}

function lockFiles(locks: string): string[] {
  try {
    return readdirSync(locks)
      .filter((name) => name.endsWith(".json") && !name.endsWith(ATTRIBUTES))
      .map((name) => join(locks, name));
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function describe(path: string): string {
  try {
    const { username, hostname: host, pid, timestamp } = JSON.parse(readFileSync(path, "utf8"));
    return `created by ${username}@${host} (pid ${pid}) at ${timestamp}`;
  } catch {
    // The lock was released or is being written: in both cases the stack was locked when the files were listed.
    return `created by the owner of ${basename(path)}`;
  }
}
