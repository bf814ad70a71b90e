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
export type Who = "the plugin" | "the dynamic provider host" | "the program";

const SCRIPTS: Readonly<Record<Who, RegExp>> = {
  "the plugin": /pulumi-resource-quarterdeck|run-plugin/,
  "the dynamic provider host": /cmd\/dynamic-provider/,
  "the program": /cmd\/run$|cmd\/run\/index/,
};

/** How it crashes: by a signal, or in one of the ways of `preload.cjs`. */
export type Crash = NodeJS.Signals | string;

/** The secrets that a process has in memory when it sends the password of the RabbitMQ connection. */
export const GIVEN = {
  token: "5f1c07ad-a-canary-of-a-token",
  password: "90ab3e44-p-canary-in-password",
  bindpass: "77d2bb18-e-canary=environment",
  shares: INITIAL_SHARES.slice(0, 2),
};

const ROOTS = { policies: ["root"] };

/** The stub also accepts the token that is searched for. */
const KNOWN = {
  ...SEEDED,
  secrets: { seed: { tokens: { [TOKENS.secrets]: ROOTS, [GIVEN.token]: ROOTS } } },
};

/** A stack whose home, temporary and project folders are searched for secrets, with a gate in front of its services. */
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
        // The user sets a program's environment, and should not let Node report it.
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

  /** Starts a new stub. */
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

  /** Runs an up in which a process crashes while it sends the connection's password. */
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

  /** Runs an up of the program in the project's folder. */
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

  /** The secrets that appear in the output or in a written file, also in part. */
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

  /** The content of the Vault stub. */
  async held(): Promise<string> {
    return JSON.stringify(await this.gate.stub.dump("secrets"));
  }

  /** Passwords and shares that the Vault stub has generated. */
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

/** Makes the processes that this process starts dump core if they crash, if the machine allows it. */
function limitCores(limit: "unlimited" | "0"): void {
  try {
    execFileSync("prlimit", ["--pid", String(process.pid), `--core=${limit}:`], { stdio: "ignore" });
  } catch {
    // The command does not exist here, or is not permitted.
  }
}

/** A program that calls a function, in its own process. */
const CALLING = `const { secrets } = require("pulumi-quarterdeck");
exports.tags = secrets.getQueueRoleOutput({ name: "deploy" }).tags;
`;

/** Generated credentials, then shares, then the password of the connection. */
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
