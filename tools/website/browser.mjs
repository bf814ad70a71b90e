// Headless Chromium, controlled with the DevTools protocol.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const WAIT_MS = 20_000;
const POLL_MS = 50;

/** The path of Chromium, or undefined. */
export function chromium() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) =>
    existsSync(file),
  );
}

/**
 * Starts Chromium with one empty page.
 * @param seconds the time limit; then Chromium is stopped, and every call fails
 */
export async function openBrowser(program, seconds) {
  const profile = mkdtempSync(join(tmpdir(), "website-"));
  const isRoot = process.getuid?.() === 0;
  const child = spawn(
    program,
    [
      "--headless=new",
      "--remote-debugging-port=0",
      `--user-data-dir=${profile}`,
      "--window-size=1400,1000",
      "--no-first-run",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      // Chromium's sandbox does not work for root.
      ...(isRoot ? ["--no-sandbox"] : []),
      "about:blank",
    ],
    // A group of its own: Chromium's child processes end with it.
    { stdio: ["ignore", "ignore", "pipe"], detached: true },
  );
  const ended = new Promise((resolve) => child.once("close", resolve));
  const stop = () => {
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // It has already ended.
    }
  };
  const timer = setTimeout(stop, seconds * 1000);
  process.once("exit", stop);
  const close = async () => {
    clearTimeout(timer);
    stop();
    await ended;
    process.off("exit", stop);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  try {
    const connection = await connect(await addressOf(child));
    return { ...(await pageOf(connection)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The address of the protocol, which Chromium prints when it has started. */
function addressOf(child) {
  return new Promise((resolve, reject) => {
    let printed = "";
    child.stderr.on("data", (chunk) => {
      printed += chunk;
      const address = /^DevTools listening on (ws:\S+)$/m.exec(printed)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once("error", reject);
    child.once("close", () => reject(new Error(`Chromium has ended:\n${printed}`)));
  });
}

/** A connection that sends commands, and passes on events. */
async function connect(address) {
  const socket = new WebSocket(address);
  const pending = new Map();
  const listeners = [];
  let lastId = 0;
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true });
    socket.addEventListener("error", () => reject(new Error(`no connection to ${address}`)), { once: true });
  });
  socket.addEventListener("message", ({ data }) => {
    const { id, result, error, method, params } = JSON.parse(data);
    if (id === undefined) for (const listener of listeners) listener(method, params);
    else if (error === undefined) pending.get(id)?.resolve(result);
    else pending.get(id)?.reject(new Error(error.message));
    pending.delete(id);
  });
  socket.addEventListener("close", () => {
    for (const { reject } of pending.values()) reject(new Error("Chromium was stopped"));
  });
  const send = (method, params = {}, sessionId = undefined) =>
    new Promise((resolve, reject) => {
      if (socket.readyState !== WebSocket.OPEN) return reject(new Error("Chromium was stopped"));
      lastId += 1;
      pending.set(lastId, { resolve, reject });
      socket.send(JSON.stringify({ id: lastId, method, params, sessionId }));
    });
  return { send, listen: (listener) => listeners.push(listener) };
}

async function pageOf({ send, listen }) {
  const errors = [];
  listen((method, params) => {
    if (method === "Runtime.exceptionThrown")
      errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    if (method === "Runtime.consoleAPICalled" && params.type === "error")
      errors.push(params.args.map(({ value, description }) => value ?? description).join(" "));
    if (method === "Log.entryAdded" && params.entry.level === "error")
      errors.push(`${params.entry.text} ${params.entry.url ?? ""}`);
  });
  const { targetId } = await send("Target.createTarget", { url: "about:blank" });
  const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
  const command = (method, params) => send(method, params, sessionId);
  for (const domain of ["Runtime", "Log", "Page"]) await command(`${domain}.enable`);

  /** The value of an expression in the page. */
  async function evaluate(expression) {
    const { result, exceptionDetails } = await command("Runtime.evaluate", {
      expression,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Polls until an expression is true. */
  async function waitFor(expression) {
    for (const end = Date.now() + WAIT_MS; Date.now() < end; await delay(POLL_MS))
      if ((await evaluate(expression)) === true) return true;
    return false;
  }

  /** Opens an address, and waits for the site's scripts. */
  async function open(address) {
    await command("Page.navigate", { url: address });
    const path = JSON.stringify(new URL(address).pathname);
    const isStarted = "document.querySelector('#app')?.__vue_app__ !== undefined";
    await waitFor(`location.pathname === ${path} && document.readyState === "complete" && ${isStarted}`);
  }

  return { errors, evaluate, waitFor, open };
}
