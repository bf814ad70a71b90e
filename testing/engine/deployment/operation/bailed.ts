/** The deployment has failed, and the reason has been reported already. */
export class Bailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Bailed";
  }
}

/** What was thrown, as an error: anything can be thrown. */
export const errorOf = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));

/** The error of an action, reported if nobody has yet. */
export async function caught(
  report: (message: string) => void,
  action: () => Promise<void>,
): Promise<Bailed | undefined> {
  try {
    await action();
    return undefined;
  } catch (error) {
    if (error instanceof Bailed) return error;
    const { message } = errorOf(error);
    report(message);
    return new Bailed(message);
  }
}
