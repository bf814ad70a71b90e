import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { breakLocks, takeLock } from "../../../engine/backend/lock";
import { temporaryFolder } from "../recorded";

function places() {
  const root = temporaryFolder();
  return { root, locks: join(root, ".pulumi", "locks", "organization", "harbour", "dev") };
}

test("a lock names its owner in the format of the CLI", () => {
  const { root, locks } = places();
  takeLock(locks, root);
  const [name = "", attributes] = readdirSync(locks).sort();
  expect(name).toMatch(/^[0-9a-f-]{36}\.json$/);
  expect(attributes).toBe(`${name}.attrs`);
  const { timestamp, ...holder } = JSON.parse(readFileSync(join(locks, name), "utf8"));
  expect(holder).toEqual({ pid: process.pid, username: userInfo().username, hostname: hostname() });
  expect(Date.parse(timestamp)).not.toBeNaN();
});

test("a second lock is rejected with the CLI's message, and the first lock stays", () => {
  const { root, locks } = places();
  takeLock(locks, root);
  const before = readdirSync(locks);
  expect(() => takeLock(locks, root)).toThrow(
    /^the stack is currently locked by 1 lock\(s\)\. Either wait for the other process\(es\) to end or delete the lock file with `pulumi cancel`\.\n {2}file:\/\/\S+\.json: created by \S+@\S+ \(pid \d+\) at \S+$/,
  );
  expect(readdirSync(locks)).toEqual(before);
});

test("a released lock is deleted, and a new lock can be taken", () => {
  const { root, locks } = places();
  takeLock(locks, root).release();
  expect(readdirSync(locks)).toEqual([]);
  takeLock(locks, root);
});

test("a lock of the CLI prevents a new lock", () => {
  const { root, locks } = places();
  mkdirSync(locks, { recursive: true });
  const content = { pid: 1, username: "ida", hostname: "quay", timestamp: "2026-11-20T19:35:04.220335777Z" };
  writeFileSync(join(locks, "0b5bd08b-51d5-4a95-8d1c-5d5bdb1d8e2f.json"), JSON.stringify(content));
  expect(() => takeLock(locks, root)).toThrow(
    "created by ida@quay (pid 1) at 2026-11-20T19:35:04.220335777Z",
  );
});

test("a lock file that is still empty prevents a new lock", () => {
  const { root, locks } = places();
  mkdirSync(locks, { recursive: true });
  writeFileSync(join(locks, "0b5bd08b-51d5-4a95-8d1c-5d5bdb1d8e2f.json"), "");
  expect(() => takeLock(locks, root)).toThrow("locked by 1 lock(s)");
});

test("breakLocks removes the lock, and a new lock can be taken", () => {
  const { root, locks } = places();
  takeLock(locks, root);
  breakLocks(locks);
  takeLock(locks, root);
});
