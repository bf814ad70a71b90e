/** A feature of the CLI that this engine does not have. It says so by name; nothing is left out in silence. */
export class NotServed extends Error {
  constructor(readonly feature: string) {
    super(`the embedded engine does not serve ${feature}; use the Pulumi CLI for it`);
    this.name = "NotServed";
  }
}

/** The deployment has failed, and the reason has been reported already. */
export class Bailed extends Error {
  constructor(message: string) {
    super(message);
    this.name = "Bailed";
  }
}
