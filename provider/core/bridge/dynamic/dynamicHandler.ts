import { presentable } from "../../http/errors";
import { depthProblems } from "../../language/fields";
import type { AnyDefinition } from "../../language/resource";
import type { Problem } from "../../language/rules";
import { parseRecords } from "../../state/records";
import { formatPath } from "../../value/path";
import { type Inputs, known } from "../../value/unknown";
import { type Bag, isPreviewed, textRead, withAsideProperty } from "../asideProperty";
import { Call, type CallValues, type Host, problemText } from "../call";
import { withIgnoredCopies } from "../copies";
import { fromEngine, PROVIDER, toEngine } from "../engineValues";
import { outputsToEngine, type State, stateOf } from "../records";
import { type DynamicHandler, outgoingError, toldOnce } from "./errors";

/** A value of the configuration that the host gave, by its full key. */
type Config = (key: string) => string | undefined;

/**
 * The handler of one resource type: translates between the dynamic host and the steps, and nothing else. The host finds a
 * provider by a text in the outputs, which a resource that the plugin made does not have yet: its update puts it there.
 * @param hostOf the provider of a configuration, which a program says where a check is asked for; of the environment alone,
 * where the host never gives one
 */
export function dynamicHandler(
  definition: AnyDefinition,
  hostOf: (config: Config | undefined, isSaid: boolean) => Host,
): DynamicHandler {
  // The host serves one pass of an engine, so that whatever a program says of it holds for all that it checks.
  let isPreview = false;
  let config: Config | undefined;

  /** Runs a step; whatever it throws leaves without a stack, which the host would print, and without secrets. */
  const called = async <T>(
    provider: unknown,
    values: CallValues,
    run: (call: Call) => Promise<T>,
    isCheck = false,
  ): Promise<T> => {
    // Only of what a program writes is a check asked for: the configuration is its own then.
    const host = hostOf(config, isCheck);
    const call = await callOf(values, host, isCheck);
    try {
      return await run(call);
    } catch (error) {
      const { redactor, subject: about } = call;
      throw outgoingError(error, {
        redactor,
        provider,
        about,
        outgoing: (outputs) => outgoing(call, outputs),
      });
    }
  };

  const callOf = async (values: CallValues, host: Host, isCheck: boolean): Promise<Call> => {
    try {
      return await (isCheck ? Call.checking(definition, values, host) : Call.of(definition, values, host));
    } catch (error) {
      // It names what cannot be read, and quotes nothing.
      throw toldOnce(presentable(error).message, definition.token);
    }
  };

  /** The outputs of a resource that a state holds. */
  const stateIn = (bag: Bag): State => {
    try {
      return stateOf(definition, bag);
    } catch (error) {
      // It says nothing of what is in them.
      throw toldOnce(presentable(error).message, definition.token);
    }
  };

  /** Outputs for the engine, with everything marked that it must keep encrypted. */
  const outgoing = (call: Call, values: Bag, before?: State): Record<string, unknown> => {
    const outputs = call.secrets.outputs(values);
    return outputsToEngine(call.definition, outputs, call.secretIn(outputs), before);
  };

  /** The same for inputs. */
  const outgoingInputs = (call: Call, values: Inputs): Record<string, unknown> => {
    const inputs = withAsideProperty(call.secrets.inputs(values));
    return toEngine(inputs, call.secretIn(inputs));
  };

  return {
    configure: (request) => {
      config = (key) => request.config.get(key);
    },

    check: async (olds, news) => {
      // Before anything that walks over them.
      const deep = depthProblems(news);
      if (deep.length > 0) return { inputs: {}, failures: failuresOf(deep) };
      const inputs = fromEngine(news);
      const outputs = fromEngine(olds);
      const checked = async (call: Call) => {
        isPreview = isPreviewed(news);
        const found = await call.check(isCreate(olds) ? undefined : outputs, textRead(olds));
        // What cannot be had is said, and is no failure: a stack moves between the bridges by its setting alone.
        if (found.problems.length === 0 && call.isRefreshedBeforeUpdate)
          hostOf(config, true).tell({ kind: "warning", text: NO_REFRESH_BEFORE_UPDATE });
        // Of a create it is the only call in a preview; an update is diffed first.
        if (isPreview && isCreate(olds) && found.problems.length === 0)
          await call.steps.forecast(call.input(), call.values.inputs);
        return { inputs: toEngine(found.inputs), failures: failuresOf(found.problems) };
      };
      return called(news[PROVIDER], { inputs, outputs }, checked, true);
    },

    diff: async (id, olds, news) => {
      const inputs = fromEngine(news);
      const { values: outputs } = stateIn(olds);
      return called(news[PROVIDER], { id, inputs, outputs }, async (call) => {
        const { changes, deleteFirst } = await call.diff(textRead(news));
        const replaces = changes
          .filter((change) => change.replaces)
          .map(({ written }) => formatPath(written));
        // What replaces it is checked as a create.
        if (isPreview && replaces.length === 0)
          await call.steps.forecast(call.input(), call.values.inputs, call.values.outputs);
        const isOfPlugin = olds[PROVIDER] === undefined;
        if (isOfPlugin && changes.length === 0)
          call
            .input()
            .log(
              "info",
              "the plugin made it: its state gets what the dynamic host needs, and no more is written",
            );
        return { changes: isOfPlugin || changes.length > 0, replaces, deleteBeforeReplace: deleteFirst };
      });
    },

    create: async (news) => {
      const inputs = known(fromEngine(news));
      return called(news[PROVIDER], { inputs }, async (call) => {
        const made = await call.steps.create(call.input(), known(call.values.inputs));
        return { id: made.id, outs: outgoing(call, made.outputs) };
      });
    },

    read: async (id, props) => {
      const state = stateIn(props);
      const { values: outputs } = state;
      const inputs = parseRecords(outputs)?.applied ?? outputs;
      return called(props[PROVIDER], { id, inputs, outputs }, async (call) => {
        const { named } = call;
        const found = await named.steps.read(named.readInput(), id, call.values.outputs);
        if (found === undefined) return { id: "" };
        return {
          id: found.id,
          props: outgoing(call, found.outputs, state),
          ...(found.inputs && { inputs: outgoingInputs(call, found.inputs) }),
        };
      });
    },

    update: async (id, olds, news) => {
      const state = stateIn(olds);
      const { values: outputs } = state;
      const inputs = known(withIgnoredCopies(definition, fromEngine(news), outputs));
      return called(news[PROVIDER], { id, inputs, outputs }, async (call) => {
        const { outputs: before = {} } = call.values;
        const outs = await call.steps.update(call.input(), before, known(call.values.inputs));
        return { outs: outgoing(call, outs, state) };
      });
    },

    delete: async (id, props) => {
      const { values: outputs } = stateIn(props);
      const inputs = parseRecords(outputs)?.applied ?? outputs;
      return called(props[PROVIDER], { id, inputs, outputs }, (call) =>
        call.steps.remove(call.input(), call.values.outputs ?? {}),
      );
    },
  };
}

/** The dynamic host answers an engine for us, and has no place for it. */
const NO_REFRESH_BEFORE_UPDATE =
  "refreshBeforeUpdate does nothing on the dynamic bridge: run pulumi up --refresh, or go by the plugin (npx quarterdeck init)";

/** An empty property keeps the engine from printing the property's value, which may be a secret. */
function failuresOf(problems: readonly Problem[]) {
  return problems.map((problem) => ({ property: "", reason: problemText(problem) }));
}

/** A check without old inputs goes before a create. It is the only call for one in a preview. */
function isCreate(olds: Bag | undefined): boolean {
  return Object.keys(olds ?? {}).length === 0;
}
