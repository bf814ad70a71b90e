/** An expression that cannot be read, or that does not fit what it is applied to. */
export class FilterError extends Error {
  override readonly name = "FilterError";

  /** @param position Where in the expression, from 0; undefined where the expression itself is right. */
  constructor(
    message: string,
    readonly position?: number,
  ) {
    super(message);
  }
}
