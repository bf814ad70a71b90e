import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import * as quarterdeck from "../../../sdk";
import { startStub } from "../../../testing/stub";
import { INITIAL_SHARES } from "../../../testing/stub/services/secrets/rekey/records";
import { consoleOn, TOKENS } from "../console";
import { Gate, type Trouble } from "../kills/gate";
import { type Ran, SEEDED, TestStack } from "../stack";
import { filesIn, foundIn } from "./sweep";

const ROOT = resolve(__dirname, "../../..");

/** Which process of a command crashes. */
export type Who = "the plugin" | "the host of dynamic providers" | "the program";

const SCRIPTS: Readonly<Record<Who, RegExp>> = {
  "the plugin": /pulumi-resource-quarterdeck|run-plugin/,
  "the host of dynamic providers": /cmd\/dynamic-provider/,
  "the program": /cmd\/run$|cmd\/run\/index/,
};

/** How it crashes: by a signal from outside, or from inside, by `preload.cjs`. */
export type Crash = NodeJS.Signals | string;

/** The secrets that a command has in its hands when it comes to the password of the queue's connection. */
export const GIVEN = {
  token: "5f1c07ad-a-canary-of-a-token",
  password: "90ab3e44-p-canary-in-password",
  bindpass: "77d2bb18-e-canary=environment",
  shares: INITIAL_SHARES.slice(0, 2),
};

const ROOTS = { policies: ["root"] };

/** The services know the token that is looked for, too. */
const KNOWN = {
  ...SEEDED,
  secrets: { seed: { tokens: { [TOKENS.secrets]: ROOTS, [GIVEN.token]: ROOTS } } },
};

/** A stack whose home, temporary and project folders are swept, with a door in front of its services. */
export class Scene {
  private constructor(
    readonly stack: TestStack,
    private readonly gate: Gate,
    private readonly orders: string,
  ) {}

  static async open(who: Who): Promise<Scene> {
    const stub = await startStub(KNOWN);
    const gate = await Gate.before(stub);
    const settings = Object.fromEntries(
      Object.entries(gate.addresses).map(([name, address]) => [name, { address }]),
    );
    const secrets = { ...settings.secrets, token: GIVEN.token };
    const stack = await TestStack.open({ ...settings, secrets }, { stub, hasOwnProcesses: true });
    await stack.setBridge(who === "the plugin" ? "plugin" : "dynamic");
    const { workspace } = stack.stack;
    const [orders = "", home = "", temporary = ""] = ["orders", "home", "temporary"].map((name) =>
      join(stack.folder, name),
    );
    for (const folder of [orders, home, temporary]) mkdirSync(folder);
    const project = await workspace.projectSettings();
    const { main: _, ...others } = project;
    await workspace.saveProjectSettings(others);
    symlinkSync(join(ROOT, "node_modules"), join(workspace.workDir, "node_modules"), "junction");
    Object.assign(workspace.envVars, {
      HOME: home,
      TMPDIR: temporary,
      BINDPASS: GIVEN.bindpass,
      QUARTERDECK_LOG: join(stack.folder, "requests.log"),
      QUARTERDECK_CRASH: orders,
      NODE_OPTIONS: [
        `--require ${join(__dirname, "preload.cjs")}`,
        "--max-old-space-size=160",
        // A program's environment is its user's, who is not to ask Node for it.
        ...(who === "the program" ? [] : ["--report-on-fatalerror --report-uncaught-exception"]),
      ].join(" "),
    });
    if (who === "the program") writeFileSync(join(workspace.workDir, "index.js"), CALLING);
    else limitCores("unlimited");
    return new Scene(stack, gate, orders);
  }

  async close(): Promise<void> {
    this.gate.stop();
    await this.gate.stub.stop();
    await this.stack.close();
    limitCores("0");
  }

  /** Fresh services, on which nothing was made. */
  async restart(): Promise<void> {
    await this.gate.stub.stop();
    this.gate.stub = await startStub(KNOWN);
    const ask = consoleOn(this.gate.stub);
    await ask("secrets", "POST", "/v1/rabbitmq/roles/deploy", { tags: "monitoring" });
    await ask("secrets", "POST", "/v1/ldap/library/ops", {
      service_account_names: ["svc-1", "svc-2"],
      ttl: 3600,
    });
  }

  /** An up in which a process crashes while the connection's password is on its way. */
  async crash(who: Who, crash: Crash, isSurvived: boolean): Promise<Ran & { readonly isHit: boolean }> {
    let isHit = false;
    const act = () => {
      isHit = true;
      this.end(who, crash);
    };
    const isProgram = who === "the program";
    const at: Trouble["at"] = ({ method, path }) =>
      isProgram ? path.includes("/roles/deploy") : method !== "GET" && path.includes("/config/connection");
    this.gate.trouble = { at, moment: "after", act, isSurvived };
    const ran = isProgram ? await this.upByItself() : await this.stack.up(program);
    this.gate.trouble = undefined;
    return { ...ran, isHit };
  }

  /** An up of the program that lies in the project's folder. */
  async upByItself(): Promise<Ran> {
    const { stack } = this.stack;
    Object.assign(stack.workspace, { program: undefined });
    let output = "";
    const onOutput = (text: string) => {
      output += text;
    };
    const ran = { changes: {}, outputs: {}, failure: undefined };
    try {
      await stack.up({ onOutput, onError: onOutput });
      return { ...ran, output };
    } catch (error) {
      return { ...ran, output, failure: String(error) };
    }
  }

  private end(who: Who, crash: Crash): void {
    const started = readFileSync(join(this.orders, "numbers"), "utf8").trim().split("\n");
    const last = started.filter((line) => SCRIPTS[who].test(line)).at(-1);
    const number = Number(last?.split(" ")[0]);
    if (!isSignal(crash)) {
      writeFileSync(join(this.orders, "kind"), crash);
      process.kill(number, "SIGUSR2");
      return;
    }
    process.kill(number, crash);
  }

  /** Where something of a secret stands, in what was printed and in every file that was written. */
  async leaks(printed: string): Promise<readonly string[]> {
    const secrets = [
      GIVEN.token,
      GIVEN.password,
      GIVEN.bindpass,
      ...GIVEN.shares,
      ...(await this.generated()),
    ];
    const output = join(this.stack.folder, "printed");
    writeFileSync(output, printed);
    return filesIn(this.stack.folder).flatMap((file) =>
      foundIn(file, secrets).map((secret) => `${secret} in ${file}`),
    );
  }

  /** The secrets of the services, as they lie there. */
  async held(): Promise<string> {
    return JSON.stringify(await this.gate.stub.dump("secrets"));
  }

  /** Passwords and shares that the service has made. */
  async generated(): Promise<readonly string[]> {
    const made: string[] = [];
    JSON.stringify(await this.gate.stub.dump("secrets"), (name, value: unknown) => {
      if (typeof value === "string" && name === "password" && value.length > 12) made.push(value);
      if (name === "shares" && Array.isArray(value)) made.push(...value.map(String));
      return value;
    });
    return made;
  }
}

function isSignal(crash: Crash): crash is NodeJS.Signals {
  return crash.startsWith("SIG");
}

/** Has what this process starts leave a core where it crashes, as far as the machine allows that. */
function limitCores(limit: "unlimited" | "0"): void {
  try {
    execFileSync("prlimit", ["--pid", String(process.pid), `--core=${limit}:`], { stdio: "ignore" });
  } catch {
    // There is no such command here, or no right to it.
  }
}

/** A program that calls a function, in a process of its own. */
const CALLING = `const { secrets } = require("pulumi-quarterdeck");
exports.tags = secrets.getQueueRoleOutput({ name: "deploy" }).tags;
`;

/** Credentials that a service makes, then shares, then the password of the connection. */
const program = async () => {
  const { secrets } = quarterdeck;
  const directory = new secrets.DirectoryConfig("directory", {
    binddn: "cn=admin",
    bindpass: quarterdeck.fromEnv("BINDPASS"),
  });
  const account = new secrets.LibraryCheckOut("account", { setName: "ops" }, { dependsOn: directory });
  const rekey = new secrets.RecoveryKeyRekey(
    "rekey",
    { secretShares: 3, secretThreshold: 2, shares: [...GIVEN.shares] },
    { dependsOn: account },
  );
  new secrets.QueueConnection(
    "broker",
    {
      connectionUri: "http://broker:15672",
      username: "admin",
      verifyConnection: false,
      password: GIVEN.password,
    },
    { dependsOn: rekey },
  );
};
