import { ServiceError } from "../../provider/core/http/errors";
import { ActionableError, type MessageFacts } from "../../provider/core/http/remedies";
import { PartialError } from "../../provider/core/state/errors";
import type { Sent } from "./wire";

/** A message of the provider, with its facts as data. */
export interface Message {
  readonly text: string;
  readonly facts: MessageFacts;
  /** The failed request, if the message is the error of one. */
  readonly failure?: Pick<ServiceError, "ids" | "method" | "path" | "status" | "outcome"> | undefined;
}

/** A message, with the events of its step until then. */
export interface Circumstances extends Message {
  /** The requests of the step until then. */
  readonly requests: readonly Sent[];
  /** True if someone else acted, or if a false response made it look so. */
  readonly hasOtherUser: boolean;
  /** True if a request was carried out twice. */
  readonly isDoubled: boolean;
  /** True if a valid response reported a write that was not carried out. */
  readonly isBelieved: boolean;
}

/** One fact that a message may report. */
interface Claim {
  readonly claims: string;
  isMade(message: Message): boolean;
  isTrue(circumstances: Circumstances): boolean;
}

const writesIn = ({ requests }: Circumstances) => requests.filter(({ isRead }) => !isRead);
const isCarriedOut = (is: (sent: Sent) => boolean) => (circumstances: Circumstances) =>
  writesIn(circumstances).some((sent) => sent.carriedOut > 0 && is(sent));

/** All attempts of the failed request: those with its ID, or with its method and path if requests have no IDs. */
function failedWrites(circumstances: Circumstances): readonly Sent[] {
  const { ids, method, path } = circumstances.failure ?? {};
  return writesIn(circumstances).filter((sent) =>
    sent.id === undefined ? sent.method === method && pathOf(sent) === path : sent.id === ids?.own,
  );
}

const pathOf = ({ target }: Sent) => decodeURI(target.replace(/\?.*/s, ""));

/** A request that reverts an action: cancels a rekey, or checks an account in. */
const isRevert = ({ method, target }: Sent) =>
  target.includes("/check-in") || (method === "DELETE" && /\/rekey|\/rotate\/recovery/.test(target));

const claims: readonly Claim[] = [
  {
    claims: "the step sent no write",
    isMade: ({ facts }) => facts.outcome === "notSent",
    isTrue: (circumstances) => writesIn(circumstances).length === 0,
  },
  {
    claims: "the server applied no write of the step",
    isMade: ({ facts }) => facts.outcome === "notApplied",
    isTrue: (circumstances) => writesIn(circumstances).every(({ isDone }) => !isDone),
  },
  {
    claims: "the server rejected a write of the step",
    isMade: ({ facts }) => facts.outcome === "rejected",
    isTrue: (circumstances) => writesIn(circumstances).length > 0,
  },
  {
    claims: "the server applied a write of the step",
    isMade: ({ facts }) => facts.outcome === "applied",
    isTrue: (circumstances) => circumstances.isBelieved || isCarriedOut(() => true)(circumstances),
  },
  {
    claims: "a read after the action was answered",
    isMade: ({ facts }) => facts.isNotShown === true,
    isTrue: ({ requests }) =>
      requests
        .slice(requests.findLastIndex(({ isSingleUse }) => isSingleUse))
        .some(({ isRead, carriedOut }) => isRead && carriedOut > 0),
  },
  {
    claims: "the server applied no write after the lost response",
    isMade: ({ facts }) => facts.isLastWrite === true,
    isTrue: (circumstances) => {
      const writes = writesIn(circumstances);
      const lost = writes.findIndex(({ isHeard }) => !isHeard);
      return writes.slice(lost + 1).every(({ isDone }) => lost < 0 || !isDone);
    },
  },
  {
    // Someone else may have done the same just before.
    claims: "the step reverted its own action",
    isMade: ({ facts }) => facts.isReverted === true,
    isTrue: isCarriedOut(isRevert),
  },
  {
    claims: "someone else made the change",
    isMade: ({ facts }) => facts.changedBy === "someoneElse",
    isTrue: ({ hasOtherUser, isDoubled }) => hasOtherUser || isDoubled,
  },
  {
    // Without a response, only a write that was not sent is certain not to be applied.
    claims: "the failed write was not sent",
    isMade: ({ failure }) => failure?.status === undefined && failure?.outcome === "notApplied",
    isTrue: (circumstances) => failedWrites(circumstances).every(({ isDone }) => !isDone),
  },
];

/** The first fact that a message reports and that is not true. */
export function falseClaimIn(circumstances: Circumstances): string | undefined {
  return claims.find(({ isMade, isTrue }) => isMade(circumstances) && !isTrue(circumstances))?.claims;
}

/** An error as a message. */
export function messageOf(error: Error): Message {
  const reason = error instanceof PartialError ? error.reason : error;
  return {
    text: error.message,
    facts: error instanceof ActionableError ? error.facts : {},
    ...(reason instanceof ServiceError && { failure: reason }),
  };
}
