/** An invalid expression, or one that does not match the item's type. */
export class FilterError extends Error {
  override readonly name = "FilterError";

  /** @param position index in the expression, from 0; undefined if the expression itself is valid. */
  constructor(
    message: string,
    readonly position?: number,
  ) {
    super(message);
  }
}
