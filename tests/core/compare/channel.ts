import { z } from "zod";
import { type Comparison, type Model, modelOfBody, modelOfInputs } from "../../../provider/core/diff/models";
import { predict } from "../../../provider/core/diff/predict";
import { driftedValue } from "../../../provider/core/diff/project";
import { conflictsIn, missingIn } from "../../../provider/core/diff/queries";
import { type Change, changesIn } from "../../../provider/core/diff/threeWay";
import { field } from "../../../provider/core/language/facts";
import { fieldsOf } from "../../../provider/core/language/fields";
import type { Values } from "../../../provider/core/language/object";
import { type Definition, define } from "../../../provider/core/language/resource";
import type { Json } from "../../../provider/core/value/json";
import { formatPath } from "../../../provider/core/value/path";
import { durationInSeconds } from "../../../provider/core/value/spelling";
import type { Inputs } from "../../../provider/core/value/unknown";
import { exampleDefinition } from "../../generate/exampleDefinition";

const text = () => z.string().optional();
const texts = () => z.array(z.string()).optional();

/** A channel: a definition with one field for each fact that a comparison uses. */
export const channel: Definition = define({
  ...exampleDefinition,
  token: "harbour:Channel",
  rules: [],
  fields: {
    name: field(z.string(), { doc: "Identity.", role: "identity" }),
    pace: field(text(), { doc: "A provider option.", role: "steering" }),
    traffic: field(text(), { doc: "Owned by the server.", role: "server's" }),
    plain: field(text(), { doc: "A plain value." }),
    list: field(texts(), { doc: "A list in order." }),
    cleared: field(text(), { doc: "Has an empty value.", empty: "" }),
    restored: field(z.number().optional(), { doc: "Has a default.", default: 7 }),
    stays: field(text(), { doc: "Is not restored.", notRestored: true }),
    hidden: field(text(), { doc: "The server does not return it.", writeOnly: "when-changed" }),
    spelt: field(z.union([z.string(), z.number()]).optional(), {
      doc: "Has two spellings.",
      spelling: durationInSeconds,
    }),
    unordered: field(texts(), { doc: "Has no order.", unordered: true, empty: [] }),
    shared: field(texts(), { doc: "Others may add elements.", additive: true, empty: [] }),
    alone: field(z.boolean().optional(), { doc: "Manage the list exclusively.", role: "steering" }),
    owned: field(texts(), {
      doc: "Others may add elements, unless it is managed exclusively.",
      additive: { unless: "alone" },
      empty: [],
    }),
    group: field(
      z
        .strictObject({
          one: field(text(), { doc: "One member.", empty: "" }),
          other: field(text(), { doc: "Another.", empty: "" }),
        })
        .optional(),
      { doc: "An object." },
    ),
    document: field(z.record(z.string(), z.unknown()).optional(), {
      doc: "Managed as one unit.",
      empty: {},
      document: {
        keyedBy: { Gates: ["Name"] },
        unordered: ["Zones"],
        blocks: ["Block", "Gone"],
        dropped: ["Gone"],
        empties: ["Count"],
        leftOut: { Mode: "open" },
        spellings: { Delay: durationInSeconds },
        serverOwned: ["Index", "Lamps.*.Hash"],
        serverDefaults: { Kind: "canal", "Lamps.*.Kind": "lamp" },
        handedDown: ["Rate"],
        implied: { Open: true },
        impliedBy: { Title: "Code" },
        floats: (answer) => (JSON.stringify(answer).includes('"Auto":true') ? ["Depth"] : []),
        othersOwned: ({ pace }) => (pace === "theirs" ? ["Left"] : []),
      },
    }),
    exact: field(z.record(z.string(), z.unknown()).optional(), {
      doc: "Managed exactly.",
      empty: {},
      document: { exact: true },
    }),
  },
});

/** A response about a channel, by the names on the wire. */
export type Answer = { [member: string]: Json };

/** The records of a channel and the program's current inputs. */
export interface Situation {
  readonly lastApplied?: Values;
  readonly desired: Inputs;
  readonly baseline?: Answer;
  readonly observed?: Answer;
}

/** The input of a comparison. By default, the last write was the same and nothing has changed since. */
export function comparisonFor({
  desired,
  lastApplied,
  baseline,
  observed = baseline,
}: Situation): Comparison {
  // Inputs that were applied contain no unknown values.
  const before = lastApplied ?? (desired as Values);
  const baselineModel = modelOfBody(channel, baseline ?? (before as Answer), before);
  return {
    lastApplied: modelOfInputs(channel, before) as Model,
    desired: modelOfInputs(channel, desired),
    baseline: baselineModel,
    observed: observed === undefined ? baselineModel : modelOfBody(channel, observed, before),
  };
}

/** A change in short: `+ path`, `~ path`, `- path`, with its cause. */
const short = ({ path, kind, cause }: Change) =>
  `${{ add: "+", update: "~", delete: "-" }[kind]} ${formatPath(path)} (${cause})`;

export const changes = (situation: Situation) => changesIn(channel, comparisonFor(situation)).map(short);

// Inputs that were applied contain no unknown values.
const modelOfAnswer = ({ desired }: Situation, answer: Answer) =>
  modelOfBody(channel, answer, desired as Values);

/** The paths that others changed between the observed values and this answer. */
export const differences = (situation: Situation, current: Answer) =>
  conflictsIn(channel, comparisonFor(situation), modelOfAnswer(situation, current)).map(({ path }) =>
    formatPath(path),
  );

/** The paths of these inputs that are missing in an object with this answer. */
export const missing = (inputs: Values, answer: Answer) =>
  missingIn(channel, inputs, { body: answer, address: {} }).map(({ path }) => formatPath(path));

/** The expected model of the answer to a write. */
export const expected = (inputs: Values, before: Answer, answer: Answer): Model =>
  predict(channel, inputs, modelOfBody(channel, before), modelOfBody(channel, answer));

/** The values that a refresh returns for these inputs after others changed the object from one answer to another. */
export function refreshedValues(inputs: Values, baseline: Answer, observed: Answer): Values {
  const [before, now] = [modelOfBody(channel, baseline), modelOfBody(channel, observed)];
  return Object.fromEntries(
    fieldsOf(channel).flatMap((each) => {
      const { name } = each;
      const written = inputs[name];
      if (written === undefined) return [];
      const source = { written, read: written, baseline: before[name], observed: now[name] };
      const value = driftedValue(each, source, inputs);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
