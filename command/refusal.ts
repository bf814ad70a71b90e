/** What a person has to do first, or instead. */
export class Refusal extends Error {}
