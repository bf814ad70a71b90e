/** A deletion that was refused because the resource is protected. */
export class Protected extends Error {}
