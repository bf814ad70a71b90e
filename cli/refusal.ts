/** An error for the user: the message is the remedy. */
export class Refusal extends Error {}
