import { ofDeeds } from "./deedRules";
import { ofLaterRequests, ofSilence } from "./laterRules";
import { ofRequests, ofServices } from "./requestRules";
import type { Rule } from "./rule";
import { ofOthersDeeds, ofStrangers } from "./strangerRules";

/** What must be of every fault at every request. The first rule that is for a cell counts. */
export const rules: readonly Rule[] = [
  ...ofLaterRequests,
  ...ofSilence,
  ...ofOthersDeeds,
  ...ofStrangers,
  ...ofServices,
  ...ofDeeds,
  ...ofRequests,
];
