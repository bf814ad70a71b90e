import { presentable } from "../../http/errors";
import type { Redactor } from "../../http/redact/redactor";
import { subjectOf } from "../../language/address";
import type { StepInput } from "../../language/call";
import type { Connection } from "../../language/connection";
import { depthProblems } from "../../language/depth";
import type { Values } from "../../language/object";
import type { AnyDefinition } from "../../language/resource";
import { ConfigurationError } from "../../requests/connection";
import { PartialError } from "../../state/failures";
import { parseRecord } from "../../state/records";
import { redactorOf } from "../../state/redaction";
import { isKeptSecret } from "../../state/secrets";
import { stepsOf } from "../../steps";
import { check } from "../../steps/check";
import { diff } from "../../steps/diff";
import { readText, type TextRead } from "../../steps/readText";
import { formatPath } from "../../value/path";
import { hasUnknown, type Inputs } from "../../value/unknown";
import type { Bag, DynamicHandler } from "./handler";
import { fromEngine, PROVIDER, toEngine } from "./values";

/** Where the bridge gets its connections, and where its warnings go. */
export interface Host {
  connection(
    definition: AnyDefinition,
    name: string | undefined,
    config: ((key: string) => string | undefined) | undefined,
  ): Connection;
  print(line: string): void;
}

/** What a step is called with. */
interface Given {
  readonly id?: string;
  readonly inputs: Inputs;
  readonly outputs?: Inputs;
}

/** The handler of one resource type: translates between the dynamic host and the steps, and nothing else. */
export function dynamicHandler(definition: AnyDefinition, host: Host): DynamicHandler {
  const steps = stepsOf(definition);
  let config: ((key: string) => string | undefined) | undefined;

  const stepInput = (inputs: Inputs, redactor: Redactor, id?: string): StepInput => {
    const name = typeof inputs.connection === "string" ? inputs.connection : undefined;
    const connection = host.connection(definition, name, config);
    const resource = subjectOf(definition, connection, inputs, id);
    return {
      connection,
      preview: false,
      redactor,
      log: (level, message) => host.print(redactor.mask(`${level}: ${resource}: ${message}`)),
      progress: (message) => host.print(redactor.mask(`${resource}: ${message}`)),
    };
  };

  /** Runs a step; whatever it throws leaves without a stack, which the host would print, and without secrets. */
  const guarded = async <T>(
    provider: unknown,
    { id, inputs, outputs }: Given,
    run: (redactor: Redactor) => Promise<T>,
  ): Promise<T> => {
    const redactor = redactorOf(definition, inputs, outputs);
    redactor.spare(id);
    try {
      return await run(redactor);
    } catch (error) {
      const subject = id === undefined ? definition.token : `${definition.token} ${JSON.stringify(id)}`;
      throw outgoingError(error, definition, { inputs, redactor, provider, subject });
    }
  };

  return {
    configure: (request) => {
      config = (key) => request.config.get(key);
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
      const outputs = fromEngine(olds);
      return guarded(news[PROVIDER], { inputs: written, outputs }, async (redactor) => {
        const input = () => stepInput(written, redactor);
        const { inputs, problems, notes } = await checked(definition, input, outputs, written);
        // An empty property keeps the engine from printing the property's value, which may be a secret.
        const failures = problems.map(({ path, reason }) => ({
          property: "",
          reason: redactor.mask(path ? `${path}: ${reason}` : reason),
        }));
        if (failures.length === 0) {
          const isFirst = isCreate(olds);
          const own = isFirst ? (definition.notes?.({ step: "create", inputs, changed: [] }) ?? []) : [];
          for (const note of [...notes, ...own]) input().log("warning", note);
        }
        return { inputs: checkedForEngine(inputs, definition), failures };
      });
    },

    diff: (id, olds, news) => {
      const inputs = fromEngine(news);
      const outputs = fromEngine(olds);
      return guarded(news[PROVIDER], { id, inputs, outputs }, async (redactor) => {
        const input = stepInput(inputs, redactor, id);
        const { changes, deleteFirst, notes } = diff(definition, input, outputs, inputs);
        for (const note of notes) input.log("warning", note);
        const replaces = changes.filter((change) => change.replaces).map(({ path }) => formatPath(path));
        return { changes: changes.length > 0, replaces, deleteBeforeReplace: deleteFirst };
      });
    },

    create: (news) => {
      const inputs = fromEngine(news) as Values;
      return guarded(news[PROVIDER], { inputs }, async (redactor) => {
        const made = await steps.create(stepInput(inputs, redactor), inputs);
        return { id: made.id, outs: outgoing(made.outputs, definition, inputs) };
      });
    },

    read: (id, props) => {
      const outputs = fromEngine(props);
      const inputs = parseRecord(outputs)?.applied ?? outputs;
      return guarded(props[PROVIDER], { id, inputs, outputs }, async (redactor) => {
        const { connection } = definition.where.id.parse(id) ?? {};
        const named = connection === undefined ? inputs : { ...inputs, connection };
        const found = await steps.read(stepInput(named, redactor, id), id, outputs);
        if (found === undefined) return { id: "" };
        return {
          id: found.id,
          props: outgoing(found.outputs, definition, inputs),
          ...(found.inputs && { inputs: outgoing(found.inputs, definition, inputs) }),
        };
      });
    },

    update: (id, olds, news) => {
      const inputs = fromEngine(news) as Values;
      const outputs = fromEngine(olds);
      return guarded(news[PROVIDER], { id, inputs, outputs }, async (redactor) => {
        const outs = await steps.update(stepInput(inputs, redactor, id), outputs, inputs);
        return { outs: outgoing(outs, definition, inputs) };
      });
    },

    delete: (id, props) => {
      const outputs = fromEngine(props);
      const inputs = parseRecord(outputs)?.applied ?? outputs;
      return guarded(props[PROVIDER], { id, inputs, outputs }, (redactor) =>
        steps.remove(stepInput(inputs, redactor, id), outputs),
      );
    },
  };
}

/** A check without old inputs goes before a create. It is the only call for one in a preview. */
function isCreate(olds: Bag | undefined): boolean {
  return Object.keys(olds ?? {}).length === 0;
}

async function checked(
  definition: AnyDefinition,
  input: () => StepInput,
  olds: Inputs,
  inputs: Inputs,
): Promise<TextRead> {
  if (hasUnknown(inputs.connection)) {
    const reason = "must be known in the preview: write it as plain text";
    return { inputs, problems: [{ path: "connection", reason }], notes: [] };
  }
  try {
    const read = await readText(definition, input(), olds, inputs);
    return { ...read, problems: [...check(definition, input(), read.inputs), ...read.problems] };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return { inputs, problems: error.problems.map((reason) => ({ path: "", reason })), notes: [] };
  }
}

/** The inputs as the program wrote them, whose secrets the engine knows, and what was read in them, marked here. */
function checkedForEngine(inputs: Inputs, definition: AnyDefinition): Record<string, unknown> {
  const keptIn = definition.serviceText?.keptIn;
  return toEngine(
    inputs,
    (path, value) => path[0] === keptIn && isKeptSecret(definition, inputs, path, value),
  );
}

/** Values for the engine, with everything marked that it must keep encrypted. */
function outgoing(values: Bag, definition: AnyDefinition, inputs: Inputs): Record<string, unknown> {
  return toEngine(values, (path, value) => isKeptSecret(definition, inputs, path, value));
}

/** What the host needs of a step that fails, beside the error. */
interface Failed {
  readonly inputs: Inputs;
  readonly redactor: Redactor;
  readonly provider: unknown;
  readonly subject: string;
}

function outgoingError(
  error: unknown,
  definition: AnyDefinition,
  { inputs, redactor, provider, subject }: Failed,
): Error {
  if (error instanceof PartialError) {
    const shown = toldOnce(redactor.mask(error.message), subject);
    // The host does not put the provider's text back into what an error carries.
    const properties = { ...outgoing(error.outputs, definition, inputs), [PROVIDER]: provider };
    return Object.assign(shown, { id: error.id, properties, reasons: [redactor.mask(error.reason.message)] });
  }
  const plain = presentable(error instanceof Error ? error : new Error(String(error)));
  return toldOnce(redactor.mask(plain.message), subject);
}

/**
 * An error whose message the engine prints. The host prints the error itself, too, and its stack, from a check, a
 * diff, a read and a delete; so its own text is the resource's name, and its stack where to read on.
 */
export function toldOnce(message: string, subject: string): Error {
  const error = new Error(message);
  error.stack = "it failed, for the reason that the engine gives";
  return Object.defineProperty(error, "toString", { value: () => subject, enumerable: false });
}
