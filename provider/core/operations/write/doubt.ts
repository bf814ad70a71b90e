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
  text: "whether it was written could not be asked: what is there holds all of it, and is otherwise beside that, by the service or by somebody.",
  facts: { changedBy: "unknown" },
};

export const UNVERIFIED: Doubt = {
  text: "it was written, and what was read back is otherwise than that: the service added to it, or somebody wrote after it, which could not be asked.",
  facts: { outcome: "applied", changedBy: "unknown" },
};

export const OTHERWISE: Doubt = {
  text: "it does not hold what was just written: the service made it another value, or somebody was faster:",
  facts: { outcome: "applied", changedBy: "unknown" },
};

export const HELD_BESIDE: Doubt = {
  text: "it holds all that was to be written, and is otherwise beside that, by the service or by somebody:",
  facts: { changedBy: "unknown" },
};

export const CHANGED_SINCE: Doubt = {
  text: "it holds all that was to be written, and someone else has changed it since:",
  facts: { changedBy: "someoneElse" },
};
