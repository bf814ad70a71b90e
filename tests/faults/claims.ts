import type { Sent } from "./wire";

/** What really happened until something was said, and who did it. */
export interface Facts {
  readonly text: string;
  /** The requests of the step until then. */
  readonly requests: readonly Sent[];
  /** Whether somebody else has acted, or was taken for acting by an answer that is false. */
  readonly hasStranger: boolean;
  /** Whether a request was carried out twice. */
  readonly isDoubled: boolean;
  /** Whether an answer that is right to the byte said that something was carried out that was not. */
  readonly isBelieved: boolean;
}

/** One thing that the provider may say of what happened. */
export interface Claim {
  readonly claims: string;
  readonly says: RegExp;
  isSo(facts: Facts): boolean;
}

const writesIn = ({ requests }: Facts) => requests.filter(({ isRead }) => !isRead);
const isNothingDone = (facts: Facts) => writesIn(facts).every(({ isDone }) => !isDone);
const isSomethingCarriedOut = (facts: Facts) => writesIn(facts).some(({ carriedOut }) => carriedOut > 0);

/** The writes that a text names by method and path; the latest where it names none. */
function namedIn(facts: Facts): readonly Sent[] {
  const writes = writesIn(facts);
  const named = writes.filter(({ method, target }) =>
    facts.text.includes(`${method} ${decodeURI(target.replace(/\?.*/s, ""))}`),
  );
  return named.length > 0 ? named : writes.slice(-1);
}

/** Every class of sentence that says what was done, what was not, or by whom; the first that fits a phrase counts. */
export const claims: readonly Claim[] = [
  {
    claims: "the step has written nothing",
    says: /nothing was (?:written|done)/i,
    isSo: isNothingDone,
  },
  {
    claims: "the step has sent no write",
    says: /nothing was sent/i,
    isSo: (facts) => writesIn(facts).length === 0,
  },
  {
    claims: "a create was sent, and refused",
    says: /this create was refused/,
    isSo: (facts) => writesIn(facts).length > 0,
  },
  {
    claims: "no write was carried out once the answer was lost",
    says: /Nothing more was done/,
    isSo: (facts) => {
      const writes = writesIn(facts);
      const lost = writes.findIndex(({ isHeard }) => !isHeard);
      return writes.slice(lost + 1).every(({ isDone }) => lost < 0 || !isDone);
    },
  },
  {
    claims: "the write that is named was not sent",
    says: /was not sent|before it was sent/,
    isSo: (facts) => namedIn(facts).every(({ isDone }) => !isDone),
  },
  {
    // That it left none behind is seen by what the service holds.
    claims: "a look after the check-out showed no account",
    says: /no account shows as checked out by this request/,
    isSo: ({ requests }) =>
      requests
        .slice(requests.findLastIndex(({ target }) => target.includes("/check-out")))
        .some(({ isRead, carriedOut }) => isRead && carriedOut > 0),
  },
  {
    claims: "it is still there",
    says: /it was not deleted|and is left alone/,
    isSo: isNothingDone,
  },
  {
    claims: "the account was returned",
    says: /which was checked in again/,
    // Somebody may have returned it before ours came.
    isSo: (facts) =>
      facts.requests.some(({ target, carriedOut }) => carriedOut > 0 && target.includes("/check-in")),
  },
  {
    claims: "the rekey was cancelled by us",
    says: /with an answer; it was cancelled|and the rekey was cancelled|it was cancelled, and a new one|is cancelled \(cancelRunning\)/,
    // Somebody may have cancelled it before ours came.
    isSo: ({ requests }) =>
      requests.some(
        ({ method, target, carriedOut }) =>
          carriedOut > 0 && method === "DELETE" && /\/rekey|\/rotate\/recovery/.test(target),
      ),
  },
  {
    claims: "a write of this step was carried out",
    says: /right after our|it was written, and what was read back|what was just written|what was written, which|moved with this write|everything else is written|was registered was never deployed|job (?:itself )?is registered|was written in the primary|service took the write/i,
    isSo: (facts) => facts.isBelieved || isSomethingCarriedOut(facts),
  },
  {
    claims: "somebody else did it",
    says: /(?:is registered |was checked out meanwhile )?by somebody else(?!, or| \(or)|somebody else (?:changed|purged|has)|somebody purged|Somebody else wrote it|moved before the write was sent again/,
    isSo: ({ hasStranger, isDoubled }) => hasStranger || isDoubled,
  },
];

/** Sentences that leave open who did it, or whether it was done: they claim nothing. */
export const doubts: readonly RegExp[] = [
  /by somebody else(?:, or| \(or)/,
  /or somebody was faster|or by somebody in the same moment/,
  /already in what the program only begins to manage, by somebody or by the service/,
  /somebody made the same, something on the way sent it twice, or an earlier create of ours/,
  /known to be ours: somebody else gave some, or|somebody else gave the last share and has them, or/,
  /somebody unwrapped it, or/,
  /whether (?:it|an account|a rekey) was|may still be carried out|so that (?:ours|it) cannot be told/i,
  /it was verified, or cancelled, or lost|either it was cancelled, or lost/,
  /was sent once before that showed/,
  /unless somebody renewed it/,
  /it was done at .* already/,
  /right after its write was answered|a moment after it was found/,
  /It is sent once more/,
  /or somebody wrote after it, which could not be asked/,
  /otherwise beside that, by the service or by somebody/,
  /that share completed it, or somebody cancelled it in the same moment, or it was lost/,
];

/** The first claim of a text that is not so. */
export function liesIn(facts: Facts): Claim | undefined {
  return claims.find(({ says, isSo }) => says.test(facts.text) && !isSo(facts));
}
