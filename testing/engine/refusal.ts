/**
 * A command that cannot be executed. The message follows `error: ` on standard error; it is empty if the reason has been
 * shown already.
 */
export class Refusal extends Error {
  constructor(
    message: string,
    /** The exit code of the process, as in the CLI. */
    readonly exitCode: number = ExitCode.failure,
  ) {
    super(message);
    this.name = "Refusal";
  }
}

/** The CLI's exit codes that this engine uses. */
export const ExitCode = {
  success: 0,
  failure: 1,
  configuration: 2,
  stackNotFound: 6,
  unexpectedChanges: 7,
} as const;

/** A command, flag or setting that this engine does not support, although the CLI may: refused by name. */
export class Unserved extends Refusal {
  constructor(what: string, hint = "use the Pulumi CLI for it") {
    super(`the embedded engine does not serve ${what}; ${hint}`, ExitCode.configuration);
    this.name = "Unserved";
  }
}

/** Adds the failed action to a refusal's message, in the CLI's format. */
export async function inContext<T>(context: string, attempt: Promise<T>): Promise<T> {
  try {
    return await attempt;
  } catch (error) {
    throw error instanceof Refusal ? new Refusal(`${context}: ${error.message}`, error.exitCode) : error;
  }
}
