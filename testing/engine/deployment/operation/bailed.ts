/** The deployment has failed, and the reason has been reported already. */
export class Bailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Bailed";
  }
}

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
    const message = error instanceof Error ? error.message : String(error);
    report(message);
    return new Bailed(message);
  }
}
