import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { basename, join, relative } from "node:path";
import { Refusal } from "../refusal";
import { ATTRIBUTES, isMissing, removeObject, writeObject } from "./files";

/** A stack that only this process may change, until it is released. */
export interface Lock {
  release(): void;
}

/**
 * Takes the lock as the CLI does: look, write one's own, look again. Of two that write at the same time, both
 * see the other and both give way; none goes on beside another.
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

/** Removes every lock of a stack, whoever holds it. */
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
    // It was released, or is just being written: either way somebody held the lock when it was listed.
    return `created by the owner of ${basename(path)}`;
  }
}
