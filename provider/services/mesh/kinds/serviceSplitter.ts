import { z } from "zod";
import { field, isObject, type Json, rule } from "../../../core";
import { requiredBlocks, text } from "./members";
import { modified, place } from "./parts";
import { typedEntry } from "./typedEntry";

/** The division of a service's requests among subsets and services (specification: part B). */
export default typedEntry({
  type: "ServiceSplitter",
  kind: "service-splitter",
  doc: "A `service-splitter` entry: how the requests of a service are divided among subsets and services. The service must speak HTTP, which its `service-defaults` say: let this resource depend on them.",
  members: {
    splits: requiredBlocks(
      {
        weight: field(z.number().min(0).max(100), {
          doc: "The share, in percent, to 0.01; the shares make 100 together.",
        }),
        service: text("The service to which it goes. Default: the same."),
        serviceSubset: text("The subset of that service, as its resolver names it."),
        ...place,
        ...modified,
      },
      "The shares into which requests are divided.",
    ),
  },
  rules: [
    rule(
      ["spec.splits"],
      (splits) => {
        if (!Array.isArray(splits)) return undefined;
        const sum = splits.reduce<number>((total, split) => total + hundredths(split), 0);
        return sum === 10_000
          ? undefined
          : `must have weights that make 100 together; they make ${sum / 100}`;
      },
      "must have weights that make 100 together",
    ),
  ],
});

/** Consul stores weights with a precision of 0.01, and computes with 32 bits. */
function hundredths(split: Json): number {
  const weight = isObject(split) ? split.weight : undefined;
  return typeof weight === "number" ? Math.round(Math.fround(Math.fround(weight) * 100)) : 0;
}
