import { withoutStack } from "../../http/errors";
import { depthProblems, nounOf } from "../../language/fields";
import type { AnyDefinition } from "../../language/resource";
import type { Problem } from "../../language/rules";
import { PartialError } from "../../state/errors";
import { parseRecords } from "../../state/records";
import { formatPath } from "../../value/path";
import { asKnown } from "../../value/unknown";
import { Call, type CallValues, type Host } from "../call";
import { checkInputs, diffInputs, problemText } from "../checking";
import { withIgnoredCopies } from "../copies";
import {
  type Bag,
  fromEngine,
  isPreviewed,
  PROVIDER,
  textRead,
  toEngine,
  withAsideProperty,
} from "../engineValues";
import { subjectText } from "../notices";
import { outputsToEngine, type State, stateOf } from "../records";
import type { DynamicHandler } from "./handler";

/** Reads a configuration value from the host, by its full key. */
type Config = (key: string) => string | undefined;

/**
 * The handler of one resource type. Only translates between the dynamic provider host and the steps. The host finds a provider by a
 * text in the outputs. A resource that the plugin created does not have that text yet, so its update adds it.
 * @param hostOf the provider for a configuration. Its second argument is true for a check, whose configuration comes from
 * the program. If the host never sends a configuration, only the environment applies.
 */
export function dynamicHandler(
  definition: AnyDefinition,
  hostOf: (config: Config | undefined, isSaid: boolean) => Host,
): DynamicHandler {
  // The host serves one pass of an engine, so a program's preview setting and configuration apply to all of its checks.
  let isPreview = false;
  let config: Config | undefined;

  /** Runs a step. Its errors have no stack, which the host would print, and no secrets. */
  const runCall = async <T>(
    provider: unknown,
    values: CallValues,
    run: (call: Call) => Promise<T>,
    isCheck = false,
  ): Promise<T> => {
    // The engine checks only a program's inputs, so the configuration is then the program's.
    const host = hostOf(config, isCheck);
    const call = await prepared(() =>
      isCheck ? Call.checking(definition, values, host) : Call.of(definition, values, host),
    );
    try {
      return await run(call);
    } catch (error) {
      const message = call.redactor.mask(withoutStack(error).message);
      const shown = errorPrintedOnce(message, subjectText(call.subject));
      if (!(error instanceof PartialError)) throw shown;
      // The host does not restore the provider's own text in the properties of an error.
      const properties = { ...outgoing(call, error.outputs), [PROVIDER]: provider };
      throw Object.assign(shown, { id: error.id, properties, reasons: [message] });
    }
  };

  /** Prepares a call. Its errors quote nothing: they name a secret that cannot be read, or unreadable records. */
  const prepared = async <T>(prepare: () => T | Promise<T>): Promise<T> => {
    try {
      return await prepare();
    } catch (error) {
      throw errorPrintedOnce(withoutStack(error).message, nounOf(definition));
    }
  };

  /** The outputs of a resource in a state. */
  const stateIn = (bag: Bag): Promise<State> => prepared(() => stateOf(definition, bag));

  /** Outputs for the engine, with marks on all values that the engine must encrypt. */
  const outgoing = (call: Call, values: Bag, before?: State): Record<string, unknown> => {
    const outputs = call.secrets.outputs(values);
    return outputsToEngine(call.definition, outputs, call.secretIn(outputs), before);
  };

  return {
    configure: (request) => {
      config = (key) => request.config.get(key);
    },

    check: async (olds, news) => {
      // This must run before any function that walks the inputs.
      const deep = depthProblems(news);
      if (deep.length > 0) return { inputs: {}, failures: failuresOf(deep) };
      const inputs = fromEngine(news);
      const outputs = fromEngine(olds);
      const runCheck = async (call: Call) => {
        const isDryRun = isPreviewed(news);
        isPreview = isDryRun;
        const found = await checkInputs(call, isCreate(olds) ? undefined : outputs, textRead(olds));
        // An unsupported option is only a warning: a stack changes its bridge by one setting, without a change to the
        // program.
        if (found.problems.length === 0 && call.isRefreshedBeforeUpdate)
          hostOf(config, true).tell({ kind: "warning", text: NO_REFRESH_BEFORE_UPDATE });
        // For a create, the check is the only call in a preview. For an update, a diff follows.
        if (isDryRun && isCreate(olds) && found.problems.length === 0)
          await call.steps.forecast(call.input(), call.values.inputs);
        return { inputs: toEngine(found.inputs), failures: failuresOf(found.problems) };
      };
      return runCall(news[PROVIDER], { inputs, outputs }, runCheck, true);
    },

    diff: async (id, olds, news) => {
      const inputs = fromEngine(news);
      const { values: outputs } = await stateIn(olds);
      return runCall(news[PROVIDER], { id, inputs, outputs }, async (call) => {
        const { changes, deleteFirst } = await diffInputs(call, textRead(news), true);
        const replaces = changes
          .filter((change) => change.replaces)
          .map(({ written }) => formatPath(written));
        // The replacement is checked as a create.
        if (isPreview && replaces.length === 0)
          await call.steps.forecast(call.input(), call.values.inputs, call.values.outputs);
        const isOfPlugin = olds[PROVIDER] === undefined;
        if (isOfPlugin && changes.length === 0)
          call
            .input()
            .log(
              "info",
              "the plugin created this resource; its state is converted for dynamic providers, without a write to the server",
            );
        return { changes: isOfPlugin || changes.length > 0, replaces, deleteBeforeReplace: deleteFirst };
      });
    },

    create: async (news) => {
      const inputs = asKnown(fromEngine(news));
      return runCall(news[PROVIDER], { inputs }, async (call) => {
        const made = await call.steps.create(call.input(), asKnown(call.values.inputs));
        return { id: made.id, outs: outgoing(call, made.outputs) };
      });
    },

    read: async (id, props) => {
      const state = await stateIn(props);
      const { values: outputs } = state;
      const inputs = parseRecords(outputs)?.lastApplied ?? outputs;
      return runCall(props[PROVIDER], { id, inputs, outputs }, async (call) => {
        const { named } = call;
        const found = await named.steps.read(named.readInput(), id, call.values.outputs);
        if (found === undefined) return { id: "" };
        const props = outgoing(call, found.outputs, state);
        if (found.inputs === undefined) return { id: found.id, props };
        const own = withAsideProperty(call.secrets.inputs(found.inputs));
        return { id: found.id, props, inputs: toEngine(own, call.secretIn(own)) };
      });
    },

    update: async (id, olds, news) => {
      const state = await stateIn(olds);
      const { values: outputs } = state;
      const inputs = asKnown(withIgnoredCopies(definition, fromEngine(news), outputs));
      return runCall(news[PROVIDER], { id, inputs, outputs }, async (call) => {
        const { outputs: before = {} } = call.values;
        const outs = await call.steps.update(call.input(), before, asKnown(call.values.inputs));
        return { outs: outgoing(call, outs, state) };
      });
    },

    delete: async (id, props) => {
      const { values: outputs } = await stateIn(props);
      const inputs = parseRecords(outputs)?.lastApplied ?? outputs;
      return runCall(props[PROVIDER], { id, inputs, outputs }, (call) =>
        call.steps.remove(call.input(), call.values.outputs ?? {}),
      );
    },
  };
}

/** The dynamic provider host responds to the engine for us, and has no field for this option. */
const NO_REFRESH_BEFORE_UPDATE =
  "refreshBeforeUpdate has no effect with dynamic providers: run pulumi up --refresh, or use the plugin (npx quarterdeck init)";

/** An empty property keeps the engine from printing the property's value, which may be a secret. */
function failuresOf(problems: readonly Problem[]) {
  return problems.map((problem) => ({ property: "", reason: problemText(problem) }));
}

/** A check without old inputs precedes a create. In a preview, it is the only call for a create. */
function isCreate(olds: Bag | undefined): boolean {
  return Object.keys(olds ?? {}).length === 0;
}

/**
 * An error whose message the engine prints. After a check, a diff, a read or a delete, the host also prints the error itself
 * and its stack. The error's own text is therefore the resource's name, and its stack refers to the engine's message.
 */
function errorPrintedOnce(message: string, subject: string): Error {
  const error = new Error(message);
  error.stack = "failed; the engine reports the reason";
  return Object.defineProperty(error, "toString", { value: () => subject, enumerable: false });
}
