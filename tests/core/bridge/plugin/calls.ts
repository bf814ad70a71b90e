import type { ServiceError } from "@grpc/grpc-js";
import { PluginAttach, type PluginInfo } from "@pulumi/pulumi/proto/plugin_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";

export type Bag = Readonly<Record<string, unknown>>;

/** The engine's mark of a secret value. */
export const secret = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** An error as an engine reads it: its message, and the state of a partially created resource. */
export interface CallError {
  readonly code: number;
  readonly message: string;
  readonly halfMade?: { id: string; properties: Bag; inputs: Bag; reasons: string[] };
}

/** What the state stores of a resource. */
export interface State {
  readonly inputs: Bag;
  readonly outputs: Bag;
}

/** The calls of an engine with plain values, over any transport. */
export class ProviderCalls {
  /** @param send sends one message, and throws an error as an engine reads it */
  constructor(private readonly send: (method: string, request: unknown) => Promise<unknown>) {}

  async handshake(): Promise<messages.ProviderHandshakeResponse> {
    return this.call("handshake", new messages.ProviderHandshakeRequest());
  }

  async attach(address: string): Promise<void> {
    const request = new PluginAttach();
    request.setAddress(address);
    await this.call("attach", request);
  }

  async checkConfig(news: Bag) {
    const request = new messages.CheckRequest();
    request.setNews(struct(news));
    return checkOf(await this.call("checkConfig", request));
  }

  async diffConfig(olds: Bag, news: Bag) {
    const request = new messages.DiffRequest();
    request.setOlds(struct(olds));
    request.setNews(struct(news));
    const answer: messages.DiffResponse = await this.call("diffConfig", request);
    return { changes: answer.getChanges(), diffs: answer.getDiffsList(), replaces: answer.getReplacesList() };
  }

  async configure(settings: Bag, urn?: string): Promise<messages.ConfigureResponse> {
    const request = new messages.ConfigureRequest();
    if (urn !== undefined) request.setUrn(urn);
    request.setArgs(struct(settings));
    return this.call("configure", request);
  }

  async check(urn: string, olds: Bag, news: Bag) {
    const request = new messages.CheckRequest();
    request.setUrn(urn);
    request.setOlds(struct(olds));
    request.setNews(struct(news));
    return checkOf(await this.call("check", request));
  }

  async diff(urn: string, id: string, state: State, news: Bag, ignored: string[] = []) {
    const request = new messages.DiffRequest();
    request.setUrn(urn);
    request.setId(id);
    request.setOlds(struct(state.outputs));
    request.setOldInputs(struct(state.inputs));
    request.setNews(struct(news));
    request.setIgnorechangesList(ignored);
    const answer: messages.DiffResponse = await this.call("diff", request);
    const details: Record<string, number> = {};
    answer.getDetaileddiffMap().forEach((detail: messages.PropertyDiff, path: string) => {
      details[path] = detail.getKind();
    });
    return {
      changes: answer.getChanges(),
      replaces: answer.getReplacesList(),
      diffs: answer.getDiffsList(),
      deleteBeforeReplace: answer.getDeletebeforereplace(),
      details,
    };
  }

  async create(urn: string, inputs: Bag, { preview = false, timeout = 0 } = {}) {
    const request = new messages.CreateRequest();
    request.setUrn(urn);
    request.setProperties(struct(inputs));
    request.setPreview(preview);
    request.setTimeout(timeout);
    const answer: messages.CreateResponse = await this.call("create", request);
    return { id: answer.getId(), outputs: bag(answer.getProperties()) };
  }

  async read(urn: string, id: string, state?: State) {
    const request = new messages.ReadRequest();
    request.setUrn(urn);
    request.setId(id);
    if (state) {
      request.setProperties(struct(state.outputs));
      request.setInputs(struct(state.inputs));
    }
    const answer: messages.ReadResponse = await this.call("read", request);
    return { id: answer.getId(), outputs: bag(answer.getProperties()), inputs: bag(answer.getInputs()) };
  }

  async update(
    urn: string,
    id: string,
    state: State,
    news: Bag,
    { preview = false, timeout = 0, ignored = [] as string[] } = {},
  ) {
    const request = new messages.UpdateRequest();
    request.setUrn(urn);
    request.setId(id);
    request.setOlds(struct(state.outputs));
    request.setOldInputs(struct(state.inputs));
    request.setNews(struct(news));
    request.setPreview(preview);
    request.setTimeout(timeout);
    request.setIgnorechangesList(ignored);
    const answer: messages.UpdateResponse = await this.call("update", request);
    return { outputs: bag(answer.getProperties()) };
  }

  async delete(urn: string, id: string, state: State): Promise<void> {
    const request = new messages.DeleteRequest();
    request.setUrn(urn);
    request.setId(id);
    request.setProperties(struct(state.outputs));
    request.setOldInputs(struct(state.inputs));
    await this.call("delete", request);
  }

  async invoke(token: string, args: Bag, preview = false) {
    const request = new messages.InvokeRequest();
    request.setTok(token);
    request.setArgs(struct(args));
    request.setPreview(preview);
    const answer: messages.InvokeResponse = await this.call("invoke", request);
    return {
      result: bag(answer.getReturn()),
      failures: answer.getFailuresList().map((failed) => failed.getReason()),
    };
  }

  /** One page of a list and its continuation token, which is empty on the last page. */
  async list(token: string, query: Bag = {}, { limit = 0, pageSize = 0, from = "" } = {}) {
    const request = new messages.ListRequest();
    request.setToken(token);
    request.setQuery(struct(query));
    request.setLimit(limit);
    request.setPageSize(pageSize);
    request.setContinuationToken(from);
    const parts: messages.ListResponse[] = await this.call("list", request);
    const results = parts.flatMap((part) => part.getResult() ?? []);
    return {
      ids: results.map((result) => result.getId()),
      names: results.map((result) => result.getName()),
      next: parts.at(-1)?.getContinuation()?.getContinuationToken() ?? "",
      isComputed: parts.some((part) => part.hasComputed()),
    };
  }

  cancel(): Promise<unknown> {
    return this.call("cancel", new Empty());
  }

  async info(): Promise<PluginInfo> {
    return this.call("getPluginInfo", new Empty());
  }

  async call<Answer>(method: string, request: unknown): Promise<Answer> {
    // The protocol defines the type of the answer.
    return (await this.send(method, request)) as Answer;
  }
}

export const struct = (values: Bag): Struct =>
  Struct.fromJavaScript(values as Parameters<typeof Struct.fromJavaScript>[0]);

const bag = (values: Struct | undefined): Bag => values?.toJavaScript() ?? {};

function checkOf(answer: messages.CheckResponse) {
  return {
    inputs: bag(answer.getInputs()),
    failures: answer.getFailuresList().map((failed) => [failed.getProperty(), failed.getReason()] as const),
  };
}

/** The error of a call that must fail. */
export async function errorOf(call: Promise<unknown>): Promise<CallError> {
  const answered = await call.then(
    (answer) => ({ answer }),
    (error: unknown) => ({ error }),
  );
  if ("error" in answered) return answered.error as CallError;
  throw new Error(`it was answered: ${JSON.stringify(answered.answer)}`);
}

/** An error as an engine reads it. */
export function callErrorOf({ code = 0, details: message = "", metadata }: Partial<ServiceError>): CallError {
  const [packed] = metadata?.get("grpc-status-details-bin") ?? [];
  if (packed === undefined) return { code, message };
  const [any] = Status.deserializeBinary(Buffer.from(packed)).getDetailsList();
  const detail = any?.unpack(
    messages.ErrorResourceInitFailed.deserializeBinary,
    "pulumirpc.ErrorResourceInitFailed",
  );
  if (!detail) return { code, message };
  return {
    code,
    message,
    halfMade: {
      id: detail.getId(),
      properties: bag(detail.getProperties()),
      inputs: bag(detail.getInputs()),
      reasons: detail.getReasonsList(),
    },
  };
}
