import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The first browser of this family on the PATH. */
export const chromium = ["chromium", "chromium-browser", "google-chrome"].find(
  (name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0,
);

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
}

/** A headless browser with one page. */
export class Browser {
  /** The events of the page: requests, log entries and exceptions. */
  readonly events: Message[] = [];
  private last = 0;
  private readonly open = new Map<number, (message: Message) => void>();

  private constructor(
    private readonly process: ChildProcess,
    private readonly folder: string,
    private readonly socket: WebSocket,
  ) {
    socket.addEventListener("message", ({ data }) => {
      const message: Message = JSON.parse(String(data));
      if (message.id === undefined) this.events.push(message);
      else this.open.get(message.id)?.(message);
    });
  }

  static async start(command: string): Promise<Browser> {
    const folder = mkdtempSync(join(tmpdir(), "browser-"));
    const own = [
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--remote-debugging-port=0",
      `--user-data-dir=${folder}`,
    ];
    const process = spawn(command, [...own, "about:blank"], { stdio: ["ignore", "ignore", "pipe"] });
    const port = await new Promise<string>((resolve, reject) => {
      let output = "";
      process.stderr?.on("data", (chunk) => {
        output += chunk;
        const [, found] = /listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec(output) ?? [];
        if (found !== undefined) resolve(found);
      });
      process.once("exit", () => reject(new Error(`the browser ended: ${output}`)));
    });
    const pages = (await fetch(`http://127.0.0.1:${port}/json`).then((answer) => answer.json())) as {
      readonly type: string;
      readonly webSocketDebuggerUrl: string;
    }[];
    const page = pages.find(({ type }) => type === "page");
    const socket = new WebSocket(page?.webSocketDebuggerUrl ?? "");
    await new Promise((resolve) => socket.addEventListener("open", resolve, { once: true }));
    const browser = new Browser(process, folder, socket);
    for (const domain of ["Page", "Runtime", "Network", "Log"]) await browser.send(`${domain}.enable`);
    return browser;
  }

  async send(method: string, params: object = {}): Promise<Readonly<Record<string, unknown>>> {
    const id = ++this.last;
    const answered = new Promise<Message>((resolve) => this.open.set(id, resolve));
    this.socket.send(JSON.stringify({ id, method, params }));
    const { result = {}, error } = await answered;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  async show(path: string): Promise<void> {
    const before = this.events.length;
    await this.send("Page.navigate", { url: `file://${path}` });
    while (!this.events.slice(before).some(({ method }) => method === "Page.loadEventFired"))
      await new Promise((resolve) => this.socket.addEventListener("message", resolve, { once: true }));
  }

  /** The value of an expression in the page, as JSON. */
  async value<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", {
      expression,
      returnByValue: true,
    });
    if (exceptionDetails !== undefined) throw new Error(JSON.stringify(exceptionDetails));
    return (result as { value: T }).value;
  }

  /** A screenshot of the page, as a PNG. */
  async picture(width: number, height: number): Promise<Buffer> {
    await this.send("Emulation.setDeviceMetricsOverride", {
      width,
      height,
      deviceScaleFactor: 1,
      mobile: false,
    });
    return Buffer.from(String((await this.send("Page.captureScreenshot")).data), "base64");
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.process.once("exit", resolve));
    // It may exit before it responds, and may be slow on a busy machine.
    const last = setTimeout(() => this.process.kill("SIGKILL"), 5_000);
    this.send("Browser.close").catch(() => this.process.kill());
    await ended;
    clearTimeout(last);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }
}
