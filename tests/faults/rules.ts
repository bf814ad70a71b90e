import { ofDeeds } from "./deedRules";
import { ofLaterRequests, ofSilence } from "./laterRules";
import { ofRequests, ofServices } from "./requestRules";
import type { Rule } from "./rule";
import { ofOthersDeeds, ofStrangers } from "./strangerRules";

/** The rules for every fault at every request. The first rule that applies to a cell counts. */
export const rules: readonly Rule[] = [
  ...ofLaterRequests,
  ...ofSilence,
  ...ofOthersDeeds,
  ...ofStrangers,
  ...ofServices,
  ...ofDeeds,
  ...ofRequests,
];
