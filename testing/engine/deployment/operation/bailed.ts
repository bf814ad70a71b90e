/** The deployment failed, and the reason has been reported. */
export class Bailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Bailed";
  }
}

/** Converts a thrown value to an error. */
export const errorOf = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown));

/** Runs an action, and reports its error unless it has been reported. */
export async function reportError(
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
