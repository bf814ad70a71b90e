/** The stack that requests are sent for, as far as it is known. */
export interface StackNames {
  readonly project?: string | undefined;
  readonly stack?: string | undefined;
}

/** The names in a URN: `urn:pulumi:<stack>::<project>::…`. */
export function namesIn(urn: string): StackNames {
  const [, stack, project] = /^urn:pulumi:(.*?)::(.*?)::/.exec(urn) ?? [];
  return { ...(stack && { stack }), ...(project && { project }) };
}

/** The maximum length of a name in the header. */
const LONGEST = 100;

/**
 * The `User-Agent` header: products with their versions, and the project and the stack as a comment. Characters of a name
 * that a header comment cannot contain are percent-encoded.
 */
export function userAgentOf(products: readonly string[], { project, stack }: StackNames = {}): string {
  const names = [
    ...(project ? [`project ${encodeName(project)}`] : []),
    ...(stack ? [`stack ${encodeName(stack)}`] : []),
  ];
  return [...products, ...(names.length > 0 ? [`(${names.join("; ")})`] : [])].join(" ");
}

function encodeName(name: string): string {
  // A lone surrogate cannot be encoded.
  const whole = [...name.toWellFormed()].slice(0, LONGEST).join("");
  return encodeURIComponent(whole).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
}
