import {
  type CheckRequest,
  CheckResponse,
  type CreateRequest,
  CreateResponse,
  type DeleteRequest,
  type DiffRequest,
  type DiffResponse,
  type ReadRequest,
  ReadResponse,
  type UpdateRequest,
  UpdateResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { withoutStack } from "../../http/errors";
import type { RequestOrigin } from "../../http/request";
import { depthProblems } from "../../language/fields";
import type { AnyDefinition } from "../../language/resource";
import { PartialError } from "../../state/errors";
import { parseRecords } from "../../state/records";
import { asKnown } from "../../value/unknown";
import { Call, type CallLimits, type CallValues, type Host } from "../call";
import { checkInputs, diffInputs } from "../checking";
import { textRead, withAsideProperty } from "../engineValues";
import { isUnreadable, separateSecrets } from "../proposed";
import { damagedTexts, diffAnswer, isAsRead } from "./details";
import { addFailures, failure, halfMade } from "./failures";
import {
  answer,
  ignoring,
  outputsAnswer,
  parseProperties,
  parseState,
  programInputsOf,
  type Received,
  withoutCopies,
} from "./values";

/**
 * The context of a call: a provider that shows messages at the resource, the signal that cancels the call, and the origin of
 * its requests.
 */
export interface CallContext {
  readonly host: Host;
  readonly signal: AbortSignal;
  readonly behalf?: RequestOrigin;
}

/** The protocol's calls for one resource type. Only translates between messages and the steps. */
export class ResourceCalls {
  constructor(private readonly definition: AnyDefinition) {}

  async check(request: CheckRequest, around: CallContext): Promise<CheckResponse> {
    const news = parseProperties(request.getNews());
    const response = new CheckResponse();
    const deep = depthProblems(news.bag);
    if (deep.length > 0) return addFailures(response, deep);
    const olds = parseProperties(request.getOlds());
    const inputs = programInputsOf(this.definition, news);
    const isFirst = Object.keys(olds.bag).length === 0;
    const values = { inputs, outputs: olds.values };
    const checking = await Call.checking(this.definition, values, around.host, { signal: around.signal });
    const found = await this.#run(checking, [news, olds], async (call) => {
      const checked = await checkInputs(call, isFirst ? undefined : olds.values, textRead(olds.bag));
      if (!isAsRead(olds.bag, news.bag)) return checked;
      const lacking = checked.problems.filter((problem) => isUnreadable(call.definition, inputs, problem));
      for (const { path } of lacking)
        call.warn(
          `an import contains no secret and no value that the server hides: set ${path} in the program to its current value`,
        );
      return { ...checked, problems: checked.problems.filter((problem) => !lacking.includes(problem)) };
    });
    response.setInputs(answer(checking, found.inputs, found.inputs, news));
    return addFailures(response, found.problems);
  }

  async diff(request: DiffRequest, around: CallContext): Promise<DiffResponse> {
    const olds = parseState(this.definition, request.getOlds());
    const news = parseProperties(request.getNews());
    const values = {
      id: request.getId(),
      inputs: ignoring(news.values, request.getIgnorechangesList()),
      outputs: olds.values,
    };
    const found = await this.#called(values, around, [], (call) => diffInputs(call, textRead(news.bag)));
    return diffAnswer(found);
  }

  async create(request: CreateRequest, around: CallContext): Promise<CreateResponse> {
    const news = parseProperties(request.getProperties());
    const response = new CreateResponse();
    if (request.getPreview()) {
      await this.#called({ inputs: news.values }, around, [news], async (call) => {
        const { inputs } = call.values;
        await call.steps.forecast(call.input(), inputs);
        response.setRefreshBeforeUpdate(call.isRefreshedBeforeUpdate);
        const outputs = call.secrets.outputs(call.steps.previewOutputs(call.input(), inputs));
        response.setProperties(answer(call, outputs, inputs, news));
      });
      return response;
    }
    const inputs = asKnown(news.values);
    await this.#called({ inputs }, { ...around, ...limit(request) }, [news], async (call) => {
      response.setRefreshBeforeUpdate(call.isRefreshedBeforeUpdate);
      const made = await call.steps.create(call.input(), asKnown(call.values.inputs));
      response.setId(made.id);
      response.setProperties(outputsAnswer(call, made.outputs, news));
    });
    return response;
  }

  async read(request: ReadRequest, around: CallContext): Promise<ReadResponse> {
    const state = parseState(this.definition, request.getProperties());
    const old = parseProperties(request.getInputs());
    const id = request.getId();
    const records = parseRecords(state.values);
    const isOnRecord = records !== undefined;
    const inputs = records?.lastApplied ?? programInputsOf(this.definition, state);
    const values = { id, inputs, outputs: state.values };
    const response = new ReadResponse();
    await this.#called(values, { ...around, ...limit(request) }, [state, old], async (call) => {
      response.setRefreshBeforeUpdate(call.isRefreshedBeforeUpdate);
      const { named } = call;
      const read = await named.steps.read(named.readInput(), id, call.values.outputs);
      if (read === undefined) return;
      const sent = [state, old].map((one) => withoutCopies(call, one));
      // Only an import sends no inputs at all, not even empty ones.
      const found = request.hasInputs() ? read : { ...read, ...read.imported };
      response.setId(read.id);
      response.setProperties(outputsAnswer(call, found.outputs, ...sent));
      // Without inputs, the engine could not compare anything with the program's inputs.
      const inState = found.inputs ? withAsideProperty(call.secrets.inputs(found.inputs)) : old.bag;
      // The engine prints the inputs of an import in the program that it proposes.
      const now = isOnRecord ? inState : separateSecrets(call, inState).inputs;
      for (const path of request.hasInputs() ? [] : damagedTexts(found.inputs ?? {}))
        call.warn(
          `${path}: pulumi import omits each $ of this string that is not followed by { from the generated TypeScript program: add each $ again`,
        );
      response.setInputs(answer(call, now, call.values.inputs, ...sent));
    });
    return response;
  }

  async update(request: UpdateRequest, around: CallContext): Promise<UpdateResponse> {
    const olds = parseState(this.definition, request.getOlds());
    const news = parseProperties(request.getNews());
    const before = parseProperties(request.getOldInputs());
    const response = new UpdateResponse();
    const open = ignoring(news.values, request.getIgnorechangesList());
    const values = { id: request.getId(), inputs: open, outputs: olds.values };
    if (request.getPreview()) {
      await this.#called(values, around, [], async (call) => {
        const { inputs, outputs } = call.values;
        await call.steps.forecast(call.input(), inputs, outputs);
        response.setRefreshBeforeUpdate(call.isRefreshedBeforeUpdate);
        const planned = call.steps.previewOutputs(call.input(), inputs, outputs);
        response.setProperties(outputsAnswer(call, planned, olds, news, before));
      });
      return response;
    }
    asKnown(open);
    const sent = [olds, news, before] as const;
    await this.#called(values, { ...around, ...limit(request) }, sent, async (call) => {
      response.setRefreshBeforeUpdate(call.isRefreshedBeforeUpdate);
      const { inputs, outputs = {} } = call.values;
      const now = await call.steps.update(call.input(), outputs, asKnown(inputs));
      response.setProperties(outputsAnswer(call, now, ...sent));
    });
    return response;
  }

  async delete(request: DeleteRequest, around: CallContext): Promise<Empty> {
    const state = parseState(this.definition, request.getProperties());
    const inputs = parseRecords(state.values)?.lastApplied ?? state.values;
    const values = { id: request.getId(), inputs, outputs: state.values };
    await this.#called(values, { ...around, ...limit(request) }, [state], (call) =>
      call.steps.remove(call.input(), call.values.outputs ?? {}),
    );
    return new Empty();
  }

  async #called<T>(
    values: CallValues,
    { host, ...limits }: { readonly host: Host } & CallLimits,
    sent: readonly Received[],
    run: (call: Call) => T | Promise<T>,
  ): Promise<T> {
    return this.#run(await Call.of(this.definition, values, host, limits), sent, run);
  }

  /** Runs a step. Converts its errors to the protocol's form, without secrets. */
  async #run<T>(call: Call, sent: readonly Received[], run: (call: Call) => T | Promise<T>): Promise<T> {
    try {
      return await run(call);
    } catch (error) {
      if (!(error instanceof PartialError)) throw failure(call.redactor.mask(withoutStack(error).message));
      const inputs = withAsideProperty(call.secrets.inputs(error.inputs));
      throw halfMade({
        id: error.id,
        properties: outputsAnswer(call, error.outputs, ...sent),
        inputs: answer(call, inputs, call.values.inputs, ...sent),
        reason: call.redactor.mask(error.message),
        isRefreshedBeforeUpdate: call.isRefreshedBeforeUpdate,
      });
    }
  }
}

/** The engine's time limit for a step. If the engine sends none, the program's limit applies. */
function limit(request: { getTimeout(): number }): CallLimits {
  const seconds = request.getTimeout();
  return seconds > 0 ? { timeout: seconds * 1000 } : {};
}
