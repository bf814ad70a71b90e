import { ofDeeds } from "./actionRules";
import { ofLaterRequests, ofSilence } from "./lateRules";
import { ofOthersDeeds, ofStrangers } from "./otherUserRules";
import { ofRequests, ofServices } from "./requestRules";
import type { Rule } from "./rule";

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
