/** A deletion that was refused before anything happened. */
export class Protected extends Error {}
