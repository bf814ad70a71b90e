import { catalog } from "../provider/catalog";
import { createClient } from "../provider/core/http/client";
import { presentable } from "../provider/core/http/errors";
import type { HttpAnswer, HttpRequest } from "../provider/core/http/request";
import type { Connection } from "../provider/core/language/connection";
import type { Service } from "../provider/core/language/service";
import { environmentName } from "../provider/core/language/settings";
import { type Configuration, type Given, givenSettings } from "../provider/core/requests/given";
import { isObject, objectIn } from "../provider/core/value/json";
import { isAbsent } from "../provider/services/secrets/service";
import { type StackResource, stackOf } from "../stacks/deployment";
import { readOnlyProvider } from "../stacks/readOnly";
import { type NeededByStack, neededBy, neededText } from "./needed";
import { QUESTIONS, type Questions } from "./questions";
import { type Finding, type Found, notTold, ok, toDo } from "./report";

/** How far a server's clock may be from ours, in milliseconds: what was made just now is known by its time. */
const CLOCKS_APART_MS = 30_000;

/** The services, each once. */
function services(): Service[] {
  const all = Object.values(catalog).map((definition) => definition().service);
  return [...new Map(all.map((service) => [service.name, service])).values()];
}

/**
 * Looks at every service that the configuration names; it only reads.
 * @param resources those of the stack that go by this configuration
 */
export async function servicesFound(
  configuration: Configuration,
  source: string,
  resources: readonly StackResource[],
): Promise<Finding[]> {
  const host = readOnlyProvider(configuration, {
    stack: stackOf(resources),
    // What is wrong is to be told now.
    createClient: (making) => createClient({ ...making, maxRetries: 0 }),
  });
  const found: Finding[] = [];
  for (const service of services()) {
    for (const name of [undefined, ...connectionsTo(service, configuration)]) {
      const about =
        name === undefined ? service.name : `${service.name} of the connection ${JSON.stringify(name)}`;
      const checkup = new Checkup(service, source);
      try {
        const given = givenSettings(service, name, configuration);
        if (name === undefined && given.given.address === undefined) {
          const why = `${given.key} is not set, nor ${environmentName(service, "address")}`;
          checkup.add("settings", notTold(why));
        } else {
          const own = resources.filter(({ inputs }) => inputs.connection === name);
          await checkup.run(given, host.connection(service, name), own);
        }
      } catch (error) {
        checkup.add("settings", toDo(presentable(error).message));
      }
      found.push(...checkup.findings.map((finding) => ({ about, ...finding })));
    }
  }
  return found;
}

/** The named connections that have a service. */
function connectionsTo(service: Service, configuration: Configuration): string[] {
  const all = objectIn(configuration.get("quarterdeck:connections") ?? "") ?? {};
  return Object.entries(all).flatMap(([name, entry]) =>
    isObject(entry) && entry[service.name] !== undefined ? [name] : [],
  );
}

/** One look at one service. */
class Checkup {
  readonly findings: Omit<Finding, "about">[] = [];
  readonly #questions: Questions | undefined;
  #isProduct = false;
  #setDialect = "";

  constructor(
    private readonly service: Service,
    private readonly source: string,
  ) {
    this.#questions = QUESTIONS[service.name];
  }

  add(what: string, found: Found): void {
    this.findings.push({ what, ...found });
  }

  async run(given: Given, connection: Connection, resources: readonly StackResource[]): Promise<void> {
    const questions = this.#questions;
    if (questions === undefined) return;
    const { settings, dialect } = connection;
    this.#setDialect = `pulumi config set --path '${given.key}.dialect' real`;
    const isReal = dialect === this.service.dialects.real;
    this.add("settings", ok(this.#sources(given)));
    this.add("address", address(String(settings.address)));
    if (!(await this.#reach(connection, questions))) return;
    if (settings.token === undefined) this.add("token", notTold("none is set"));
    const needed = neededBy(resources, connection);
    const asked = isReal
      ? [...questions.real(settings), ...(questions.allows?.(needed, settings) ?? [])]
      : [];
    for (const { what, request, reads } of asked) {
      if (what === "token" && settings.token === undefined) continue;
      const answer = await this.#ask(connection, request);
      this.add(
        what,
        "failed" in answer ? notTold(answer.failed) : reads(answer.answer, connection.runtime.now()),
      );
    }
    if (!isReal || questions.allows === undefined) this.#needed(needed);
    await this.#list(connection, questions, isReal);
    this.#dialect(isReal);
  }

  /** What the stack needs, where nobody tells whether the token has it. */
  #needed(needed: NeededByStack): void {
    const text = neededText(needed);
    if (text !== "") this.add("needed", notTold(`whether the token has what this stack needs: ${text}`));
  }

  /** Where each setting comes from. */
  #sources({ given, variables }: Given): string {
    const own = Object.keys(given).filter((name) => variables[name] === undefined);
    const parts = [
      ...(own.length > 0 ? [`${own.join(", ")} from ${this.source}`] : []),
      ...Object.entries(variables).map(([name, variable]) => `${name} from ${variable}`),
    ];
    return parts.join("; ");
  }

  async #reach(connection: Connection, { reach }: Questions): Promise<boolean> {
    const began = connection.runtime.now();
    const answer = await this.#ask(connection, reach);
    if ("failed" in answer) {
      this.add("reached", toDo(answer.failed));
      return false;
    }
    const now = connection.runtime.now();
    this.add("reached", ok(`answers in ${Math.max(1, Math.round(now - began))} ms`));
    const theirs = Date.parse(answer.answer.headers.date ?? "");
    if (Number.isNaN(theirs)) this.add("clock", notTold("the server says no time"));
    // Its time has whole seconds.
    else this.add("clock", clock(theirs + 500 - (began + now) / 2));
    return true;
  }

  async #list(connection: Connection, { list }: Questions, isReal: boolean): Promise<void> {
    const asked = list(connection.settings);
    if (typeof asked === "string") {
      this.add("reads", notTold(asked));
      return;
    }
    const { of, ...request } = asked;
    const answer = await this.#ask(connection, { method: "GET", ...request });
    if ("failed" in answer) this.add("reads", toDo(answer.failed));
    else this.add("reads", this.#listed(answer.answer, of, isReal));
  }

  #listed(answer: HttpAnswer, of: string, isReal: boolean): Found {
    const { status, mask = (text) => text } = answer;
    // An empty list of the secrets service is its 404 without errors.
    const isNone = status === 404 && isAbsent(answer);
    if (status === 200 || isNone) return ok(isNone ? `there are no ${of}` : `${of} are shown`);
    const why = `${of} are not shown (${status} ${mask(this.service.words(answer)).slice(0, 200)})`;
    if (isReal && status === 403) return notTold(`${why}: the token may have rights elsewhere`);
    const right = "Check the address, the token, and what it may read.";
    return toDo(
      why,
      isReal ? right : `${right} Where it is ${this.#questions?.product}: ${this.#setDialect}`,
    );
  }

  #dialect(isReal: boolean): void {
    if (isReal) this.add("dialect", ok("real: the product's own names"));
    else if (!this.#isProduct) this.add("dialect", ok("neutral: the names of the specification"));
    else
      this.add(
        "dialect",
        toDo("neutral, but the server answers with the product's own names", this.#setDialect),
      );
  }

  /** An answer of whatever status, or why there is none. */
  async #ask(
    connection: Connection,
    request: Pick<HttpRequest, "method" | "path" | "query" | "body" | "headers">,
  ): Promise<{ readonly answer: HttpAnswer } | { readonly failed: string }> {
    try {
      const answer = await connection.send({
        label: { definition: this.service.name, step: "doctor" },
        nature: "read",
        expect: "text",
        ...request,
      });
      this.#isProduct ||= this.#questions?.isProduct(answer) === true;
      return { answer };
    } catch (error) {
      // Its words say what to do.
      return { failed: presentable(error).message };
    }
  }
}

function address(text: string): Found {
  const { protocol, hostname } = new URL(text);
  const isNear = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  if (protocol === "https:") return ok(`${text}, encrypted`);
  if (isNear) return ok(`${text}, on this machine`);
  return toDo(`${text}: plain text, which shows the token to the network`, "Use https.");
}

/** How far two clocks seem to be apart that are not: a server's time has whole seconds, and an answer takes its time. */
const SEEMING_MS = 2000;

function clock(apart: number): Found {
  if (Math.abs(apart) < SEEMING_MS) return ok("the same as ours");
  const seconds = Math.round(Math.abs(apart) / 1000);
  const says = `${seconds} s ${apart > 0 ? "ahead of" : "behind"} ours`;
  return Math.abs(apart) > CLOCKS_APART_MS
    ? toDo(says, "Set both by one time server: what was made just now is known by its time.")
    : ok(says);
}
