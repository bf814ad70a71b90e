import * as pulumi from "@pulumi/pulumi";
import type { ThingArgs } from "./thing";

/** A thing as {@link ThingArgs} describes it, of the plugin in `plugin/`. */
export class Made extends pulumi.CustomResource {
  declare readonly name: pulumi.Output<string>;
  declare readonly value: pulumi.Output<unknown>;
  declare readonly computed: pulumi.Output<string>;

  constructor(name: string, args: ThingArgs = {}, options: pulumi.CustomResourceOptions = {}) {
    const known = { name, value: undefined, identity: undefined, computed: undefined };
    super("things:index:Thing", name, { ...known, ...args }, options);
  }
}

/** A provider of things that the program configures itself. */
export class Maker extends pulumi.ProviderResource {
  declare readonly label: pulumi.Output<string>;

  constructor(name: string, inputs: pulumi.Inputs = {}, options?: pulumi.ResourceOptions) {
    super("things", name, inputs, options);
  }
}
