import { isHtml } from "../../provider/core/http/describe";
import { withoutStack } from "../../provider/core/http/errors";
import type { HttpAnswer } from "../../provider/core/http/request";
import type { Connection, Dialect, Service } from "../../provider/core/language/service";
import type { Given } from "../../provider/core/requests/given";
import { isAbsent } from "../../provider/services/secrets/service";
import type { StackResource } from "../state/deployment";
import { setCommand, setTokenCommand } from "./commands";
import { neededBy, neededText } from "./needed";
import { QUESTIONS, type Questions } from "./questions";
import type { Asked, Circumstances } from "./questions/question";
import { missing, wordsOf } from "./questions/reading";
import { type Finding, type Found, fail, ok, skip, warn } from "./report";
import { ignoredVariables } from "./variables";

/**
 * The allowed difference between a server's clock and this machine's, in milliseconds: new objects are recognized by their
 * time.
 */
const CLOCKS_APART_MS = 30_000;

/** The inputs for checking a service. */
interface Checked {
  readonly given: Given;
  readonly connection: Connection;
  /** The resources of the stack that use this connection; undefined if no stack is selected. */
  readonly resources: readonly StackResource[] | undefined;
  /** The source of the settings that are not from the environment. */
  readonly source: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

type Own = Omit<Finding, "about">;

/** A response with any status, or the reason that there is no response. */
type Asking = { readonly answer: HttpAnswer } | { readonly failed: string };

/** Checks one service through one connection; it only reads. */
export async function checkup(service: Service, checked: Checked): Promise<Own[]> {
  const questions = QUESTIONS[service.name];
  return questions === undefined ? [] : new Checkup(service, questions, checked).run();
}

class Checkup {
  readonly #findings: Own[] = [];
  readonly #answers: HttpAnswer[] = [];
  readonly #isReal: boolean;
  readonly #setToken: string;
  /** A response that this product does not send for this path. */
  #stranger: { readonly path: string; readonly answer: HttpAnswer } | undefined;

  constructor(
    private readonly service: Service,
    private readonly questions: Questions,
    private readonly checked: Checked,
  ) {
    this.#isReal = checked.connection.dialect === service.dialects.real;
    this.#setToken = setTokenCommand(service, checked.given);
  }

  async run(): Promise<Own[]> {
    const { given, connection, source, env } = this.checked;
    this.#add("settings", ok(this.#sources()));
    this.#add("address", address(String(connection.settings.address)));
    if (connection.name === undefined) {
      const { dialect } = connection;
      for (const found of ignoredVariables(this.service, given, { dialect, source, env }))
        this.#add("variables", found);
    }
    if (!(await this.#reach())) return this.#findings;
    const list = await this.#list();
    if (this.#isOther(list)) return this.#findings;
    await this.#token(list);
    this.#add("reads", this.#listed(list));
    await this.#dialect();
    return this.#findings;
  }

  #add(what: string, found: Found): void {
    this.#findings.push({ what, ...found });
  }

  /** The source of each setting. */
  #sources(): string {
    const { given, source } = this.checked;
    const own = Object.keys(given.given).filter((name) => given.variables[name] === undefined);
    const parts = [
      ...(own.length > 0 ? [`${own.join(", ")} from ${source}`] : []),
      ...Object.entries(given.variables).map(([name, variable]) => `${name} from ${variable}`),
    ];
    return parts.join("; ");
  }

  async #reach(): Promise<boolean> {
    const { connection } = this.checked;
    const { reach, identity = reach } = this.questions;
    const began = connection.runtime.now();
    const asked = this.#isReal ? identity : reach;
    const found = await this.#ask(asked);
    if ("failed" in found) {
      this.#add("reached", fail(found.failed, `curl -v ${this.#url(asked.path)}`));
      return false;
    }
    const { answer } = found;
    const now = connection.runtime.now();
    this.#add("reached", ok(`answers in ${Math.max(1, Math.round(now - began))} ms`));
    const theirs = Date.parse(answer.headers.date ?? "");
    // The Date header has whole seconds.
    this.#add(
      "clock",
      Number.isNaN(theirs) ? skip("the server shows no time") : clock(theirs + 500 - (began + now) / 2),
    );
    if (this.#isReal && this.questions.isIdentity(answer) === false)
      this.#stranger = { path: asked.path, answer };
    return true;
  }

  /** True if the responses so far are from a different product. */
  #isOther(list: Asking | string): boolean {
    const marked = this.#answers.find(
      (answer) => isHtml(answer) || productOf(answer, this.service.name) !== undefined,
    );
    if (marked !== undefined) {
      this.#addOther("", marked);
      return true;
    }
    if (this.#stranger === undefined || (typeof list !== "string" && this.#isOwn(list))) return false;
    this.#addOther(this.#stranger.path, this.#stranger.answer);
    return true;
  }

  /** True if the response to a list is from this product. */
  #isOwn(list: Asking): boolean {
    if ("failed" in list) return false;
    const { answer } = list;
    if (answer.status === 200) return answer.json !== undefined;
    const isRefused = answer.status === 401 || answer.status === 403;
    return isAbsent(answer) || (isRefused && !isHtml(answer) && this.service.isOwnError(answer));
  }

  #addOther(path: string, answer: HttpAnswer): void {
    const { product } = this.questions;
    const found = productOf(answer, this.service.name);
    const other = found ?? (isHtml(answer) ? "a web page" : undefined);
    const message =
      other === undefined
        ? `this is not ${product}: GET ${this.service.prefix}${path} answered ${wordsOf(answer)}`
        : `this is not ${product}: ${other} answers`;
    const { given } = this.checked;
    this.#add(
      "product",
      fail(
        message,
        setCommand(this.service, given, "address", "https://…"),
        `Set the address of ${product}.`,
      ),
    );
  }

  async #list(): Promise<Asking | string> {
    const asked = this.questions.list(this.checked.connection.settings);
    if (typeof asked === "string") return asked;
    const { of: _, ...request } = asked;
    return this.#ask({ method: "GET", ...request });
  }

  /** Checks whether the server knows the token, and whether the token has the rights that the stack needs. */
  async #token(list: Asking | string): Promise<void> {
    const { connection, resources } = this.checked;
    const { settings, runtime } = connection;
    const hasToken = ["token", "tokenFile", "login"].some((name) => settings[name] !== undefined);
    const isListShown =
      typeof list !== "string" && "answer" in list && isShown(list.answer, connection.dialect);
    const circumstances: Circumstances = {
      now: runtime.now(),
      hasToken,
      isListShown,
      setToken: this.#setToken,
    };
    for (const { what, request, reads } of this.#isReal ? this.questions.real(settings) : []) {
      const found = await this.#ask(request);
      this.#add(what, "failed" in found ? skip(found.failed) : reads(found.answer, circumstances));
    }
    const token = this.#findings.find(({ what }) => what === "token");
    if (token === undefined && !hasToken) {
      const isRequired =
        typeof list !== "string" &&
        "answer" in list &&
        ([401, 403].includes(list.answer.status) || isFiltered(list.answer, connection.dialect));
      this.#add("token", isRequired ? missing(this.#setToken) : skip("none is set"));
    }
    // A refused token has no rights that could be checked.
    if (!this.#findings.some(({ what, status }) => what === "token" && status === "FAIL"))
      await this.#rights(resources);
  }

  async #rights(resources: readonly StackResource[] | undefined): Promise<void> {
    const { connection } = this.checked;
    const { rights } = this.questions;
    const needed = neededBy(resources ?? [], connection);
    const isChecked = this.#isReal && rights !== undefined;
    const ask = async (request: Asked) => {
      const found = await this.#ask(request);
      return "failed" in found ? undefined : found.answer;
    };
    const found =
      isChecked && (resources === undefined || needed.resources > 0)
        ? await rights({ needed, settings: connection.settings, ask })
        : undefined;
    for (const one of found ?? []) this.#add("rights", one);
    const text = neededText(needed);
    if (found === undefined && text !== "")
      this.#add("rights", skip(`not checked: whether the token has what this stack needs: ${text}`));
    if (resources === undefined)
      this.#add(
        "rights",
        skip("not checked: whether the token may do what your resources need; no stack is selected"),
      );
  }

  #listed(found: Asking | string): Found {
    if (typeof found === "string") return skip(found);
    const asked = this.questions.list(this.checked.connection.settings);
    if (typeof asked === "string") return skip(asked);
    const { of, path } = asked;
    const command = `curl -v ${this.#url(path)}`;
    if ("failed" in found) return fail(found.failed, command);
    const { answer } = found;
    // Vault reports an empty list as a 404 without errors.
    const isNone = answer.status === 404 && isAbsent(answer);
    if (isFiltered(answer, this.checked.connection.dialect))
      return warn(`only those ${of} are shown that the token may read; others exist`);
    if (answer.status === 200 || isNone) return ok(isNone ? `there are no ${of}` : `${of} are shown`);
    const why = `${of} are not shown: ${answer.status} ${presentWords(this.service, answer)}`;
    const isRefused = answer.status === 401 || answer.status === 403;
    const token = this.#findings.find(({ what }) => what === "token");
    if (this.#isReal && isRefused && token?.status === "FAIL") return skip(`${why}; see token`);
    if (this.#isReal && isRefused) return warn(why, "The token may have rights elsewhere.");
    if (isRefused) return fail(why, this.#setToken, "Check the token and what it may read.");
    return fail(why, this.#isReal ? command : this.#setDialect("real"), "Check the address and the dialect.");
  }

  async #dialect(): Promise<void> {
    const { dialects } = this.service;
    const own = this.checked.connection.dialect;
    const [name, other] = this.#isReal ? ["real", "neutral"] : ["neutral", "real"];
    // A refusal has no marks of the product.
    const found =
      this.#isReal || !this.questions.identity ? undefined : await this.#ask(this.questions.identity);
    const isIdentity =
      found !== undefined && "answer" in found && this.questions.isIdentity(found.answer) === true;
    const isOther =
      isIdentity ||
      (!this.#isReal && this.#answers.some(this.questions.isProduct)) ||
      this.#answers.some((answer) => hasHeadersOf(answer, dialects[other], own));
    if (isOther) {
      const whose = this.#isReal ? "names of the dialect neutral" : "product's own names";
      this.#add(
        "dialect",
        fail(`${name}, but the server answers with the ${whose}`, this.#setDialect(other)),
      );
    } else
      this.#add(
        "dialect",
        ok(this.#isReal ? "real: the product's own names" : "neutral: the specification's names"),
      );
  }

  #setDialect(name: string): string {
    return setCommand(this.service, this.checked.given, "dialect", name);
  }

  #url(path: string): string {
    const { address: base } = this.checked.connection.settings;
    return String(base).replace(/\/$/, "") + this.service.prefix + path;
  }

  async #ask(request: Asked): Promise<Asking> {
    try {
      const answer = await this.checked.connection.send({
        label: { definition: this.service.name, step: "doctor" },
        nature: "read",
        expect: "text",
        ...request,
      });
      this.#answers.push(answer);
      return { answer };
    } catch (error) {
      // The message contains the remedy.
      return { failed: withoutStack(error).message };
    }
  }
}

const presentWords = (service: Service, answer: HttpAnswer) =>
  (answer.mask ?? ((text: string) => text))(service.words(answer)).slice(0, 200);

/** True if the server shows the list, and left out no entries because of the token's rights. */
function isShown(answer: HttpAnswer, dialect: Dialect): boolean {
  const isNone = answer.status === 404 && isAbsent(answer);
  return isNone || (answer.status === 200 && !isFiltered(answer, dialect));
}

/** True if the server left out entries that the token may not read. */
function isFiltered(answer: HttpAnswer, { headers: { filtered = "" } }: Dialect): boolean {
  return answer.headers[filtered.toLowerCase()] === "true";
}

/** The name of the other product that a response comes from. */
function productOf(answer: HttpAnswer, own: string): string | undefined {
  return Object.entries(QUESTIONS).find(([name, { isProduct }]) => name !== own && isProduct(answer))?.[1]
    .product;
}

/** True if a response has a header of a dialect that the current dialect does not have. */
function hasHeadersOf({ headers }: HttpAnswer, dialect: Dialect | undefined, own: Dialect): boolean {
  const others = Object.values(dialect?.headers ?? {}).filter(
    (name) => !Object.values(own.headers).includes(name),
  );
  return others.some((name) => headers[name.toLowerCase()] !== undefined);
}

function address(text: string): Found {
  const { protocol, hostname } = new URL(text);
  const isNear = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  if (protocol === "https:") return ok(`${text}, encrypted`);
  if (isNear) return ok(`${text}, on this machine`);
  return warn(`${text}: plain text, which shows the token to the network`, "Use https.");
}

/** The apparent difference of two equal clocks: a server's time has whole seconds, and a response takes time. */
const SEEMING_MS = 2000;

function clock(apart: number): Found {
  if (Math.abs(apart) < SEEMING_MS) return ok("the same as this machine's");
  const seconds = Math.round(Math.abs(apart) / 1000);
  const message = `${seconds} s ${apart > 0 ? "ahead of" : "behind"} this machine's`;
  return Math.abs(apart) > CLOCKS_APART_MS
    ? fail(
        message,
        "timedatectl status",
        "Synchronize both clocks: new objects are recognized by their time.",
      )
    : ok(message);
}
