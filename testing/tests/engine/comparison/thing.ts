import { resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";

const PROVIDER = `exports.handler = () => require(${JSON.stringify(resolve(__dirname, "provider.cjs"))})()`;

/** The inputs of a thing, some of which control the behavior of its provider; see `provider.cjs`. */
export interface ThingArgs {
  readonly name?: pulumi.Input<string>;
  readonly value?: pulumi.Input<unknown>;
  readonly other?: pulumi.Input<unknown>;
  readonly identity?: pulumi.Input<string>;
  readonly place?: pulumi.Input<string>;
  readonly fail?: "check" | "diff" | "create" | "read" | "update";
  readonly partial?: boolean;
  readonly invalid?: pulumi.Input<unknown>;
  readonly reject?: string;
  readonly undecided?: boolean;
  readonly mute?: boolean;
  readonly noisy?: boolean;
  readonly stubborn?: boolean;
  readonly complete?: boolean;
  readonly size?: pulumi.Input<string>;
}

/** A resource of the dynamic provider in `provider.cjs`. */
export class Thing extends pulumi.CustomResource {
  declare readonly name: pulumi.Output<string>;
  declare readonly value: pulumi.Output<unknown>;
  declare readonly identity: pulumi.Output<string | undefined>;
  declare readonly computed: pulumi.Output<string>;

  constructor(
    name: string,
    args: ThingArgs = {},
    options: pulumi.CustomResourceOptions = {},
    type = "Thing",
  ) {
    const known = { name, value: undefined, identity: undefined, computed: undefined };
    super(
      `pulumi-nodejs:dynamic/comparison:${type}`,
      name,
      { ...known, ...args, __provider: PROVIDER },
      options,
    );
  }
}

/** A component without inputs. */
export class Group extends pulumi.ComponentResource {
  constructor(
    name: string,
    build: (parent: Group) => Record<string, unknown>,
    options?: pulumi.ComponentResourceOptions,
  ) {
    super("comparison:Group", name, {}, options);
    this.registerOutputs(build(this));
  }
}
