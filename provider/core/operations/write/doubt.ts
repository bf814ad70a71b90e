import type { ServiceError } from "../../http/errors";
import type { MessageFacts } from "../../http/remedies";

/** The description of an object that differs from what was written. */
export interface Doubt {
  readonly text: string;
  readonly facts: MessageFacts;
}

/** The same, with the reason of a failed request. */
export const extendDoubt = ({ text, facts }: Doubt, { summary }: ServiceError): Doubt => ({
  text: `${text} ${summary}`,
  facts,
});

export const ACCEPTED: Doubt = {
  text: "the write's result could not be confirmed: the object has all written values, but the server or someone else also changed other values.",
  facts: { changedBy: "unknown" },
};

export const UNVERIFIED: Doubt = {
  text: "the write was applied, but the object read back differs from the written values: either the server changed the values, or someone else wrote the object afterward.",
  facts: { outcome: "applied", changedBy: "unknown" },
};

export const OTHERWISE: Doubt = {
  text: "the object does not have the values just written: the server changed them, or someone else wrote at the same time:",
  facts: { outcome: "applied", changedBy: "unknown" },
};

export const HELD_BESIDE: Doubt = {
  text: "the object has all written values, but the server or someone else also changed other values:",
  facts: { changedBy: "unknown" },
};

export const CHANGED_SINCE: Doubt = {
  text: "the object has all written values, and someone else has changed it since:",
  facts: { changedBy: "someoneElse" },
};
