import type { Redactor } from "../../http/redact/redactor";
import { subjectOf } from "../../language/address";
import { depthProblems } from "../../language/depth";
import type { AnyDefinition } from "../../language/resource";
import type { Notice, StepInput, Subject } from "../../language/stepInput";
import { parseRecords, RECORDS, writesIn } from "../../state/records";
import { redactorOf } from "../../state/redaction";
import { isKeptSecret } from "../../state/secrets";
import { stepsOf } from "../../steps";
import { diff } from "../../steps/diff";
import { isTextUnread, withEarlierReading } from "../../steps/readText";
import { formatPath } from "../../value/path";
import { type Inputs, known } from "../../value/unknown";
import type { Provider } from "../provider";
import { textRead, withAsideProperty } from "./asideProperty";
import { checked, readAgain } from "./checking";
import { outgoingError } from "./errors";
import type { Bag, DynamicHandler } from "./handler";
import { fromEngine, PROVIDER, toEngine } from "./values";

/** What the bridge needs of a provider. */
export type Host = Pick<Provider, "connection" | "readings" | "tell">;

/** What a step is called with. */
interface StepValues {
  readonly id?: string;
  readonly inputs: Inputs;
  readonly outputs?: Inputs;
}

/**
 * The handler of one resource type: translates between the dynamic host and the steps, and nothing else.
 * @param hostOf the provider of a configuration; of the environment alone, where the host never gives one
 */
export function dynamicHandler(
  definition: AnyDefinition,
  hostOf: (config?: (key: string) => string | undefined) => Host,
): DynamicHandler {
  const steps = stepsOf(definition);
  let host: Host | undefined;

  const stepInput = (inputs: Inputs, redactor: Redactor, id?: string): StepInput => {
    host ??= hostOf();
    const { readings } = host;
    const name = typeof inputs.connection === "string" ? inputs.connection : undefined;
    const connection = host.connection(definition.service, name);
    const about = subjectOf(definition, connection, inputs, id);
    const tell = (kind: Notice["kind"], text: string) =>
      host?.tell({ kind, about, text: redactor.mask(text) });
    return {
      connection,
      preview: false,
      readings,
      redactor,
      log: tell,
      progress: (text) => tell("progress", text),
    };
  };

  /** Runs a step; whatever it throws leaves without a stack, which the host would print, and without secrets. */
  const withPlainErrors = async <T>(
    provider: unknown,
    { id, inputs, outputs }: StepValues,
    run: (redactor: Redactor) => Promise<T>,
  ): Promise<T> => {
    const redactor = redactorOf(definition, inputs, outputs);
    redactor.spare(id);
    try {
      return await run(redactor);
    } catch (error) {
      const about: Subject = { type: definition.token, ...(id !== undefined && { name: id }) };
      const outgoingOf = (values: Bag) => outgoing(values, definition, inputs);
      throw outgoingError(error, { redactor, provider, about, outgoing: outgoingOf });
    }
  };

  return {
    configure: (request) => {
      host = hostOf((key) => request.config.get(key));
    },

    check: async (olds, news) => {
      // Before anything that walks over them.
      const deep = depthProblems(news);
      if (deep.length > 0) {
        return {
          inputs: {},
          failures: deep.map(({ path, reason }) => ({ property: "", reason: `${path}: ${reason}` })),
        };
      }
      const written = fromEngine(news);
      const earlier = fromEngine(olds);
      return withPlainErrors(news[PROVIDER], { inputs: written, outputs: earlier }, async (redactor) => {
        const input = () => stepInput(written, redactor);
        const found = await checked(definition, input, { olds, earlier, written });
        // An empty property keeps the engine from printing the property's value, which may be a secret.
        const failures = found.problems.map(({ path, reason }) => ({
          property: "",
          reason: redactor.mask(path ? `${path}: ${reason}` : reason),
        }));
        if (failures.length === 0) {
          const { inputs } = found;
          const own = isCreate(olds)
            ? definition.notes?.({ step: "create", inputs, changed: [] })
            : undefined;
          for (const note of [...found.notes, ...(own ?? [])]) input().log("warning", note);
        }
        return { inputs: toEngine(withAsideProperty(found.inputs, found.read)), failures };
      });
    },

    diff: (id, olds, news) => {
      const written = fromEngine(news);
      const outputs = fromEngine(olds);
      return withPlainErrors(news[PROVIDER], { id, inputs: written, outputs }, async (redactor) => {
        const input = stepInput(written, redactor, id);
        const inputs = await readAgain(definition, input, { outputs, written, read: textRead(news) });
        const { changes, deleteFirst, notes } = diff(definition, input, outputs, inputs);
        for (const note of notes) input.log("warning", note);
        const replaces = changes.filter((change) => change.replaces).map(({ path }) => formatPath(path));
        return { changes: changes.length > 0, replaces, deleteBeforeReplace: deleteFirst };
      });
    },

    create: (news) => {
      const inputs = known(fromEngine(news));
      return withPlainErrors(news[PROVIDER], { inputs }, async (redactor) => {
        const made = await steps.create(stepInput(inputs, redactor), inputs);
        return { id: made.id, outs: outgoing(made.outputs, definition, inputs) };
      });
    },

    read: (id, props) => {
      const outputs = fromEngine(props);
      const inputs = parseRecords(outputs)?.applied ?? outputs;
      return withPlainErrors(props[PROVIDER], { id, inputs, outputs }, async (redactor) => {
        const { connection } = definition.where.id.parse(id) ?? {};
        const named = connection === undefined ? inputs : { ...inputs, connection };
        const found = await steps.read(stepInput(named, redactor, id), id, outputs);
        if (found === undefined) return { id: "" };
        return {
          id: found.id,
          props: outgoing(found.outputs, definition, inputs),
          ...(found.inputs && { inputs: outgoing(withAsideProperty(found.inputs), definition, inputs) }),
        };
      });
    },

    update: (id, olds, news) => {
      const inputs = known(fromEngine(news));
      const outputs = fromEngine(olds);
      return withPlainErrors(news[PROVIDER], { id, inputs, outputs }, async (redactor) => {
        const outs = await steps.update(stepInput(inputs, redactor, id), outputs, inputs);
        return { outs: outgoing(outs, definition, inputs) };
      });
    },

    delete: (id, props) => {
      const outputs = fromEngine(props);
      const inputs = parseRecords(outputs)?.applied ?? outputs;
      return withPlainErrors(props[PROVIDER], { id, inputs, outputs }, (redactor) =>
        steps.remove(stepInput(inputs, redactor, id), outputs),
      );
    },
  };
}

/** A check without old inputs goes before a create. It is the only call for one in a preview. */
function isCreate(olds: Bag | undefined): boolean {
  return Object.keys(olds ?? {}).length === 0;
}

/** Outputs for the engine, with everything marked that it must keep encrypted. */
function outgoing(values: Bag, definition: AnyDefinition, written: Inputs): Record<string, unknown> {
  const inputs = isTextUnread(definition, written)
    ? withReadingOnRecord(values, definition, written)
    : written;
  return toEngine(values, (path, value) => isKeptSecret(definition, inputs, path, value));
}

/** What was read of a text only while it was written lies in the records. */
function withReadingOnRecord(values: Bag, definition: AnyDefinition, written: Inputs): Inputs {
  const records = parseRecords({ [RECORDS]: String(values[RECORDS]) });
  return withEarlierReading(definition, {}, written, writesIn(records));
}
