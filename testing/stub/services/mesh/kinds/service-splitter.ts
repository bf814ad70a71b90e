import { serverError } from "../errors";
import { always, list } from "../shape/field";
import { decimal, text } from "../shape/scalars";
import { struct } from "../shape/struct";
import { defineKind, placeOf, SERVICE } from "./define";
import { MODIFIED } from "./http";
import { PLACEABLE } from "./placement";

const WHOLE = 10_000;

/** How the requests of a service are split among subsets and services. */
export const serviceSplitter = defineKind({
  kind: "service-splitter",
  write: SERVICE,
  read: SERVICE,
  fields: {
    Splits: always(
      list(
        struct({ Weight: always(decimal), Service: text, ServiceSubset: text, ...PLACEABLE, ...MODIFIED }),
      ),
    ),
  },
  normalize: (body) => ({
    ...body,
    ...(body.Splits !== undefined && {
      Splits: body.Splits.map((split) => ({ ...split, Weight: hundredths(split.Weight) / 100 })),
    }),
  }),
  validate({ Splits = [] }, self) {
    if (Splits.length === 0) throw serverError("no splits configured");
    const found = new Set<string>();
    for (const split of Splits) {
      const { Service = self.name, ServiceSubset: subset = "", Partition = "" } = split;
      const [service, namespace] = [Service, placeOf(split, self)];
      const key = `service=${JSON.stringify(service)}, subset=${JSON.stringify(subset)}, namespace=${JSON.stringify(namespace)}, partition=${JSON.stringify(Partition)}`;
      if (found.has(key)) throw serverError(`split destination occurs more than once: ${key}`);
      found.add(key);
    }
    const sum = Splits.reduce((total, { Weight }) => total + hundredths(Weight), 0);
    if (sum !== WHOLE) {
      throw serverError(`the sum of all split weights must be 100, not ${(sum / 100).toFixed(6)}`);
    }
  },
  leadsTo: ({ Splits = [] }, self) =>
    Splits.map((split) => ({ name: split.Service ?? self.name, namespace: placeOf(split, self) })),
});

/** The smallest weight is 0.01; the server computes with 32-bit floats. */
function hundredths(weight = 0): number {
  return Math.round(Math.fround(Math.fround(weight) * 100));
}
