import { withoutStack } from "../../provider/core/http/errors";
import type { HttpResponse } from "../../provider/core/http/request";
import type { Connection, Service } from "../../provider/core/language/service";
import type { Given } from "../../provider/core/requests/given";
import { isAbsent } from "../../provider/services/secrets/service";
import type { StackResource } from "../state/deployment";
import { hasHeadersOf, isCompleteList, isFiltered, judgeAddress, judgeClock, presentWords } from "./answers";
import { setCommand, setTokenCommand } from "./commands";
import { neededText, permissionsNeededBy } from "./needed";
import { otherProduct, type Stranger } from "./product";
import { QUESTIONS, type Questions } from "./questions";
import type { Circumstances, QuestionRequest } from "./questions/question";
import { missing } from "./questions/reading";
import { type Finding, type Found, fail, ok, skip, warn } from "./report";
import { ignoredVariables, settingSources } from "./variables";

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
type Asking = { readonly answer: HttpResponse } | { readonly failed: string };

/** Checks one service through one connection; it only reads. */
export async function checkup(service: Service, checked: Checked): Promise<Own[]> {
  const questions = QUESTIONS[service.name];
  return questions === undefined ? [] : new Checkup(service, questions, checked).run();
}

class Checkup {
  readonly #findings: Own[] = [];
  readonly #answers: HttpResponse[] = [];
  readonly #isReal: boolean;
  readonly #setToken: string;
  /** A response that this product does not send for this path. */
  #stranger: Stranger | undefined;

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
    this.#add("settings", ok(settingSources(given, source)));
    this.#add("address", judgeAddress(String(connection.settings.address)));
    if (connection.name === undefined) {
      const { dialect } = connection;
      for (const found of ignoredVariables(this.service, given, { dialect, source, env }))
        this.#add("variables", found);
    }
    if (!(await this.#reach())) return this.#findings;
    const list = await this.#list();
    const other = otherProduct(this.service, this.questions, {
      given,
      answers: this.#answers,
      stranger: this.#stranger,
      list: typeof list !== "string" && "answer" in list ? list.answer : undefined,
    });
    if (other !== undefined) {
      this.#add("product", other);
      return this.#findings;
    }
    await this.#token(list);
    this.#add("reads", this.#listed(list));
    await this.#dialect();
    return this.#findings;
  }

  #add(what: string, found: Found): void {
    this.#findings.push({ what, ...found });
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
      Number.isNaN(theirs) ? skip("the server shows no time") : judgeClock(theirs + 500 - (began + now) / 2),
    );
    if (this.#isReal && this.questions.isIdentity(answer) === false)
      this.#stranger = { path: asked.path, answer };
    return true;
  }

  async #list(): Promise<Asking | string> {
    const asked = this.questions.list(this.checked.connection.settings);
    if (typeof asked === "string") return asked;
    const { of: _, ...request } = asked;
    return this.#ask({ method: "GET", ...request });
  }

  /** Checks whether the server knows the token, and whether the token has the permissions that the stack needs. */
  async #token(list: Asking | string): Promise<void> {
    const { connection, resources } = this.checked;
    const { settings, runtime } = connection;
    const hasToken = ["token", "tokenFile", "login"].some((name) => settings[name] !== undefined);
    const isListShown =
      typeof list !== "string" && "answer" in list && isCompleteList(list.answer, connection.dialect);
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
      this.#add("token", isRequired ? missing(this.#setToken) : skip("no token is set"));
    }
    // A refused token has no permissions that could be checked.
    if (!this.#findings.some(({ what, status }) => what === "token" && status === "FAIL"))
      for (const found of await this.#permissions(resources)) this.#add("permissions", found);
  }

  /** Checks whether the token has the permissions that the stack's resources need. */
  async #permissions(resources: readonly StackResource[] | undefined): Promise<Found[]> {
    const { connection } = this.checked;
    const needed = permissionsNeededBy(resources ?? [], connection);
    const check = this.#isReal ? this.questions.permissions : undefined;
    const ask = async (request: QuestionRequest) => {
      const found = await this.#ask(request);
      return "failed" in found ? undefined : found.answer;
    };
    const isAsked = resources === undefined || needed.resources > 0;
    const found = isAsked ? await check?.({ needed, settings: connection.settings, ask }) : undefined;
    const text = neededText(needed);
    return [
      ...(found ?? []),
      ...(found === undefined && text !== ""
        ? [skip(`permissions for this stack are not checked: ${text}`)]
        : []),
      ...(resources === undefined
        ? [skip("permissions for your resources are not checked: no stack is selected")]
        : []),
    ];
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
      return warn(`the server shows only the ${of} that the token may read; more ${of} exist`);
    if (answer.status === 200 || isNone) return ok(isNone ? `there are no ${of}` : `${of} are shown`);
    const why = `${of} are not shown: ${answer.status} ${presentWords(this.service, answer)}`;
    const isRefused = answer.status === 401 || answer.status === 403;
    const token = this.#findings.find(({ what }) => what === "token");
    if (this.#isReal && isRefused && token?.status === "FAIL") return skip(`${why}; see token`);
    if (this.#isReal && isRefused)
      return warn(why, "The token may still have the permissions for the resources of your program.");
    if (isRefused) return fail(why, this.#setToken, "Check the token and its permissions.");
    return fail(
      why,
      this.#isReal ? command : this.#setDialect("real"),
      "Check the address, and the setting `dialect`.",
    );
  }

  async #dialect(): Promise<void> {
    const { dialects } = this.service;
    const own = this.checked.connection.dialect;
    const [name, other] = this.#isReal ? (["real", "neutral"] as const) : (["neutral", "real"] as const);
    // A refusal has no marks of the product.
    const found =
      this.#isReal || !this.questions.identity ? undefined : await this.#ask(this.questions.identity);
    const isIdentity =
      found !== undefined && "answer" in found && this.questions.isIdentity(found.answer) === true;
    const isOther =
      isIdentity ||
      (!this.#isReal && this.#answers.some(this.questions.isProduct)) ||
      this.#answers.some((answer) => hasHeadersOf(answer, dialects[other], own));
    const names = { real: "product's own names", neutral: "names that only quarterdeck-stub understands" };
    const others = this.#isReal ? "names of the dialect neutral" : "product's own names";
    this.#add(
      "dialect",
      isOther
        ? fail(`${name}, but the server answers with the ${others}`, this.#setDialect(other))
        : ok(`${name}: the ${names[name]}`),
    );
  }

  #setDialect(name: string): string {
    return setCommand(this.service, this.checked.given, "dialect", name);
  }

  #url(path: string): string {
    const { address: base } = this.checked.connection.settings;
    return String(base).replace(/\/$/, "") + this.service.prefix + path;
  }

  async #ask(request: QuestionRequest): Promise<Asking> {
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
