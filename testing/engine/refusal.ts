/**
 * A command that cannot do what was asked. The message is what follows `error: ` on standard error; it is empty
 * where the reason was shown already.
 */
export class Refusal extends Error {
  constructor(
    message: string,
    /** The process's exit code, with the meanings that the CLI gives them. */
    readonly exitCode: number = ExitCode.failure,
  ) {
    super(message);
    this.name = "Refusal";
  }
}

/** The CLI's exit codes, as far as this engine has a use for them. */
export const ExitCode = {
  success: 0,
  failure: 1,
  configuration: 2,
  stackNotFound: 6,
  unexpectedChanges: 7,
} as const;

/** A command, flag or setting that the CLI may well have and this engine has not: refused by its name. */
export class Unserved extends Refusal {
  constructor(what: string, hint = "use the Pulumi CLI for it") {
    super(`the embedded engine does not serve ${what}; ${hint}`, ExitCode.configuration);
    this.name = "Unserved";
  }
}

/** Says with a refusal what could not be done because of it, as the CLI words its errors. */
export async function inContext<T>(context: string, attempt: Promise<T>): Promise<T> {
  try {
    return await attempt;
  } catch (error) {
    throw error instanceof Refusal ? new Refusal(`${context}: ${error.message}`, error.exitCode) : error;
  }
}
