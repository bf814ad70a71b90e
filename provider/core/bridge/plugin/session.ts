import type { FunctionDefinition } from "../../functions/define";
import { withoutIds } from "../../http/errors";
import { systemRuntime } from "../../http/options";
import type { RequestOrigin } from "../../http/request";
import type { AnyDefinition } from "../../language/resource";
import type { Notice, Subject } from "../../language/stepInput";
import { beforeEnd } from "../../requests/beforeEnd";
import type { StackNames } from "../../requests/userAgent";
import type { Inputs } from "../../value/unknown";
import type { Host } from "../call";
import { noticeText, subjectText } from "../notices";
import { Provider } from "../provider";
import { type Services, settingText } from "./configuration";
import { EngineLog } from "./log";
import { ResourceCalls, type Surroundings } from "./resource";

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
  readonly #calls = new Map<string, ResourceCalls>();
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
        beforeEnd: (deed) => beforeEnd(deed, systemRuntime),
        tell: (notice) => this.#show(notice),
        // `pulumi do` prints notices to the standard output, in front of its result.
        showsAddresses: !isGiven,
      },
    );
  }

  /** The calls for a resource type. */
  resourceCalls(token: string): ResourceCalls | undefined {
    const existing = this.#calls.get(token);
    const definition = existing ? undefined : this.own.resource(token);
    if (definition === undefined) return existing;
    const made = new ResourceCalls(definition);
    this.#calls.set(token, made);
    return made;
  }

  /** Runs a call that a cancel can abort, and shows its messages at its resource. Ends after all messages were shown. */
  async run<T>({ object, trace }: RequestOrigin, call: (around: Surroundings) => Promise<T>): Promise<T> {
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
      unforetold: provider.unforetold,
      going: provider.going,
      places: provider.places,
      writes: provider.writes,
      secretAt: provider.secretAt,
      shared: (service) => provider.shared(service),
      // The engine names the subject of a message by its resource. A table includes the name, because the engine prints it
      // separately if it shows every step completely (`--diff`).
      tell: ({ about, ...notice }) =>
        this.#show(isTable(notice) ? { ...notice, text: describeNotice(notice, about) } : notice, urn),
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

function describeNotice({ text }: Notice, about: Subject | undefined): string {
  return about === undefined ? text : `${subjectText(about)}: ${text}`;
}
