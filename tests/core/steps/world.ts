import { type Configuration, type Connection, connect } from "../../../provider/core/connection";
import type { Definition, Values } from "../../../provider/core/define";
import { serviceError } from "../../../provider/core/errors";
import type { Client } from "../../../provider/core/http/client";
import type { HttpAnswer, HttpRequest } from "../../../provider/core/http/request";
import { formatJson, type Json, parseJson } from "../../../provider/core/json";
import type { Problem } from "../../../provider/core/rules";
import { check } from "../../../provider/core/steps/check";
import type { StepInput } from "../../../provider/core/steps/context";
import { create } from "../../../provider/core/steps/create";
import { remove } from "../../../provider/core/steps/delete";
import { type Difference, diff } from "../../../provider/core/steps/diff";
import { read } from "../../../provider/core/steps/read";
import { update } from "../../../provider/core/steps/update";
import type { Inputs } from "../../../provider/core/unknown";
import type { StubService } from "../../../testing/stub/service";
import { send as sendToStub } from "../../stub/in-process";

/** What may happen to a request on its way. */
export type Fate = "passes" | "request lost" | "response lost";

/** A control plane in this process, and a connection to it: no sockets, the same routes. */
export class World {
  readonly requests: HttpRequest[] = [];
  readonly logged: string[] = [];
  readonly connection: Connection;
  now = Date.UTC(2030, 0, 1);
  /** Decides what happens to each request; it may also act, as somebody else would, before and after it. */
  fate: (request: HttpRequest) => Fate | Promise<Fate> = () => "passes";
  afterwards: (request: HttpRequest) => void | Promise<void> = () => undefined;

  constructor(
    private readonly stub: StubService,
    definition: Definition,
    settings: Values,
  ) {
    const { service } = definition;
    const config: Configuration = {
      get: (key) =>
        key === `quarterdeck:${service.name}`
          ? formatJson({ address: "http://stub.invalid", ...settings })
          : undefined,
      env: {},
    };
    this.connection = connect(service, undefined, config, {
      runtime: { now: () => this.now, sleep: async () => undefined, random: () => 0.5 },
      userAgent: "test",
      warn: (message) => this.logged.push(message),
      createClient: ({ headers }) => this.client(headers),
    });
  }

  /** Sends as anybody: another user at a console. */
  async send(
    method: string,
    path: string,
    body?: Json,
    headers: Record<string, string> = {},
  ): Promise<HttpAnswer> {
    const answered = await sendToStub(this.stub, method, path, {
      headers,
      now: this.now,
      ...(body !== undefined && { body: formatJson(body) }),
    });
    const text =
      typeof answered.body === "string"
        ? answered.body
        : answered.body === undefined
          ? ""
          : JSON.stringify(answered.body);
    return { status: answered.status, headers: answered.headers, text, json: jsonIn(text), attempts: 1 };
  }

  private client(own: Readonly<Record<string, string>>): Client {
    return {
      close: async () => undefined,
      send: async (request) => {
        this.requests.push(request);
        const fate = await this.fate(request);
        if (fate === "request lost") throw unclear(request);
        const answer = await this.send(request.method, target(request), request.body, {
          ...lowerCased(own),
          ...(request.body !== undefined && { "content-type": request.contentType ?? "application/json" }),
        });
        await this.afterwards(request);
        if (fate === "response lost") throw unclear(request);
        return answer;
      },
    };
  }
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function unclear(request: HttpRequest): Error {
  return serviceError(request.nature === "read" ? "connectionLost" : "unclearAnswer", {
    service: "stub",
    method: request.method,
    path: request.path,
    event: "lost its connection",
    advice: "Look.",
    attempts: 1,
    unclear: request.nature !== "read",
  });
}

function target({ path, query = {} }: HttpRequest): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value]
      .flat()
      .flatMap((one) =>
        one === undefined ? [] : [`${encodeURIComponent(name)}=${encodeURIComponent(one)}`],
      ),
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join("&")}`;
}

function jsonIn(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** One resource as an engine keeps it: its state, and the steps that move it. */
export class Resource {
  id = "";
  outputs: { [property: string]: Json } = {};
  /** The inputs of the state, as a refresh leaves them. */
  inputs: Values = {};

  constructor(
    readonly world: World,
    readonly definition: Definition,
  ) {}

  private get input(): StepInput {
    const { world } = this;
    return {
      connection: world.connection,
      preview: false,
      log: (level, message) => world.logged.push(`${level}: ${message}`),
    };
  }

  check(inputs: Inputs): Problem[] {
    return check(this.definition, this.input, inputs);
  }

  async create(inputs: Values): Promise<void> {
    try {
      const made = await create(this.definition, this.input, inputs);
      this.id = made.id;
      this.outputs = made.outputs;
      this.inputs = inputs;
    } catch (error) {
      this.keepPartial(error, inputs);
      throw error;
    }
  }

  preview(inputs: Inputs): Difference {
    return diff(this.definition, this.input, this.outputs, inputs);
  }

  async update(inputs: Values): Promise<void> {
    try {
      this.outputs = await update(this.definition, this.input, this.outputs, inputs);
      this.inputs = inputs;
    } catch (error) {
      this.keepPartial(error, inputs);
      throw error;
    }
  }

  /** An up: previews, and updates only where the preview is not empty. */
  async up(inputs: Values): Promise<boolean> {
    if (this.preview(inputs).changes.length === 0) return false;
    await this.update(inputs);
    return true;
  }

  /** A refresh; false where the object is gone. */
  async refresh(): Promise<boolean> {
    const found = await read(this.definition, this.input, this.id, this.outputs);
    if (found === undefined) return false;
    this.outputs = found.outputs;
    this.inputs = found.inputs;
    return true;
  }

  async get(id: string): Promise<void> {
    const found = await read(this.definition, this.input, id);
    if (found === undefined) throw new Error("a read by id alone must throw");
    this.id = found.id;
    this.outputs = found.outputs;
    this.inputs = found.inputs;
  }

  delete(): Promise<void> {
    return remove(this.definition, this.input, this.outputs);
  }

  private keepPartial(error: unknown, inputs: Values): void {
    if (!(error instanceof Error) || !("id" in error) || !("outputs" in error)) return;
    this.id = String(error.id);
    // A partial error carries outputs as a success does.
    this.outputs = error.outputs as typeof this.outputs;
    this.inputs = inputs;
  }
}
