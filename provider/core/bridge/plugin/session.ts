import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import type { FunctionDefinition } from "../../functions/define";
import { withoutIds } from "../../http/errors";
import { systemRuntime } from "../../http/options";
import type { RequestOrigin } from "../../http/request";
import type { AnyDefinition } from "../../language/resource";
import type { Notice } from "../../language/stepInput";
import { beforeEnd } from "../../requests/beforeEnd";
import type { StackNames } from "../../requests/userAgent";
import type { Inputs } from "../../value/unknown";
import type { Host } from "../call";
import { noticeText, subjectText } from "../notices";
import { Provider } from "../provider";
import { type Services, settingText } from "./configuration";
import type { CallContext } from "./resource";

/** The values that a package passes to its bridge. */
export interface PluginPackage {
  /** The name of the package, which is the prefix of every token: `quarterdeck`. */
  readonly name: string;
  readonly version: string;
  /** The `User-Agent` of the package's requests. */
  userAgent(stack: StackNames): string;
  /** The schema of the package, as JSON text. */
  schema(): string;
  /** The resource with a token such as `scheduler:Job`; undefined if the package does not have it. */
  resource(token: string): AnyDefinition | undefined;
  /** The function with a token; undefined if the package does not have it. */
  function(token: string): FunctionDefinition | undefined;
  readonly services: Services;
}

/** The state of a process between calls: its engine, its configuration, and the running calls. */
export class Session {
  #log: EngineLog | undefined;
  #provider: Provider | undefined;
  #wasChecked = false;
  readonly #running = new Set<AbortController>();
  readonly #shown = new Set<string>();

  constructor(readonly own: PluginPackage) {}

  /** Sends later messages to this engine. One process may serve several engines, one after the other. */
  attach(address: string): void {
    this.#log?.close();
    this.#log = new EngineLog(address);
  }

  /** Records that a program provided its configuration. The next `configure` call then has current settings. */
  markChecked(): void {
    this.#wasChecked = true;
  }

  /**
   * @param stack the stack's names, from the engine
   * @param isGiven true if a person just entered the settings, so that no earlier call checked them
   */
  configure(settings: Inputs, stack: StackNames = {}, isGiven = false): void {
    const isStored = !this.#wasChecked && !isGiven;
    this.#wasChecked = false;
    this.#shown.clear();
    this.#provider = new Provider(
      { get: (key) => settingText(settings, key), env: process.env, isStored },
      {
        runtime: systemRuntime,
        userAgent: this.own.userAgent(stack),
        beforeEnd: (task) => beforeEnd(task, systemRuntime),
        tell: (notice) => this.#show(notice),
        // `pulumi do` prints notices to the standard output, in front of its result.
        showsAddresses: !isGiven,
      },
    );
  }

  /** Runs a call that a cancel can abort, and shows its messages at its resource. Ends after all messages were shown. */
  async run<T>({ object, trace }: RequestOrigin, call: (around: CallContext) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    this.#running.add(controller);
    const behalf = { ...(object !== undefined && { object }), trace };
    try {
      return await call({ host: this.#hostAt(object), signal: controller.signal, behalf });
    } finally {
      this.#running.delete(controller);
      await this.#log?.flush();
    }
  }

  /** Aborts all running calls. It does not affect later calls. */
  cancel(): void {
    for (const controller of this.#running) controller.abort();
  }

  #hostAt(urn: string | undefined): Host {
    const provider = this.#provider;
    // The engine configures a provider before any other call, unless the settings are not known yet.
    if (provider === undefined) throw new TypeError("the provider is not configured");
    return {
      connection: (service, name) => provider.connection(service, name),
      adoptsIdentical: provider.adoptsIdentical,
      readings: provider.readings,
      unavailableScopes: provider.unavailableScopes,
      going: provider.going,
      places: provider.places,
      writes: provider.writes,
      secretAt: provider.secretAt,
      shared: (service) => provider.shared(service),
      // The engine names the subject of a message by its resource. A table includes the name, because the engine prints it
      // separately if it shows every step completely (`--diff`).
      tell: ({ about, ...notice }) =>
        this.#show(
          about && isTable(notice) ? { ...notice, text: `${subjectText(about)}: ${notice.text}` } : notice,
          urn,
        ),
    };
  }

  /** Shows a notice, once per resource. */
  #show(notice: Notice, urn = ""): void {
    const text = noticeText(notice);
    const key = withoutIds(JSON.stringify([notice.kind, urn, text]));
    if (this.#shown.has(key)) return;
    this.#shown.add(key);
    this.#log?.show({ ...notice, text }, urn);
  }
}

function isTable({ kind, text }: Notice): boolean {
  return kind !== "progress" && text.includes("\n");
}

const SEVERITIES = {
  info: LogSeverity.INFO,
  warning: LogSeverity.WARNING,
  progress: LogSeverity.INFO,
} as const;

/** Shows messages in the output of the calling engine, each at its resource. */
class EngineLog {
  readonly #client: EngineClient;
  readonly #pending = new Set<Promise<void>>();

  constructor(address: string) {
    this.#client = new EngineClient(address, credentials.createInsecure());
  }

  /** @param urn the resource for the message; the stack if empty */
  show({ kind, text }: Notice, urn = ""): void {
    const request = new LogRequest();
    request.setSeverity(SEVERITIES[kind]);
    request.setMessage(text);
    request.setUrn(urn);
    // Progress of a wait is a temporary line.
    request.setEphemeral(kind === "progress");
    // An engine that has ended shows nothing, and this must not make the call fail.
    const shown = new Promise<void>((done) => {
      this.#client.log(request, () => done());
    }).finally(() => this.#pending.delete(shown));
    this.#pending.add(shown);
  }

  /** Ends when all messages so far were shown. The engine may no longer accept messages after the response. */
  async flush(): Promise<void> {
    await Promise.all(this.#pending);
  }

  close(): void {
    this.#client.close();
  }
}
