import * as pulumi from "@pulumi/pulumi";
import type { ThingArgs } from "./thing";

/** A resource of the plugin in `plugin/`; {@link ThingArgs} describes its inputs. */
export class PluginThing extends pulumi.CustomResource {
  declare readonly name: pulumi.Output<string>;
  declare readonly value: pulumi.Output<unknown>;
  declare readonly computed: pulumi.Output<string>;

  constructor(name: string, args: ThingArgs = {}, options: pulumi.CustomResourceOptions = {}) {
    const known = { name, value: undefined, identity: undefined, computed: undefined };
    super("things:index:Thing", name, { ...known, ...args }, options);
  }
}

/** An explicit provider of the plugin in `plugin/`. */
export class ThingsProvider extends pulumi.ProviderResource {
  declare readonly label: pulumi.Output<string>;

  constructor(name: string, inputs: pulumi.Inputs = {}, options?: pulumi.ResourceOptions) {
    super("things", name, inputs, options);
  }
}
