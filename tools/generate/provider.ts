import type { AnyDefinition } from "../../provider/core/language/resource";
import { servicesOf } from "./schema";
import {
  adoptionSetting,
  connectionShape,
  dialectSetting,
  settingsDoc,
  settingsShape,
} from "./schemaConfiguration";
import { namedTypesIn, type Shape } from "./shape";
import { interfaceText, memberText, type ObjectShape } from "./typescript";

/** Writes the SDK's file of explicit providers: the class and its settings. */
export function providerText(definitions: readonly AnyDefinition[]): string {
  const services = servicesOf(definitions);
  const docs = {
    ...DOCS,
    ...Object.fromEntries(
      services.map((service) => [settingsShape(service).type.name, settingsDoc(service)]),
    ),
  };
  const types = oncePerName(namedTypesIn(connectionShape(services)).filter(isObject));
  const secrets = new Set(types.flatMap(({ members }) => members).flatMap(secretName));
  return `import type * as pulumi from "@pulumi/pulumi";
import { ProviderResource } from "@pulumi/pulumi";
import { isProvider } from "./runtime/kind";
import { providerRegistration } from "./runtime/provider";

/** The settings that are always secret. */
const SECRETS: readonly string[] = ${JSON.stringify([...secrets])};

/**
 * An explicit provider. Resources and functions with it in their option \`provider\` use the servers of its settings instead of
 * the stack's configuration. A missing setting is read from the environment. Plugin only.
 */
export class Provider extends ProviderResource {
  /** True if a value is a provider of this package, even if another copy of the package created it. */
  static override isInstance(value: unknown): value is Provider {
    return isProvider(value);
  }

  /**
   * @param name the provider's name in the program
   * @param args the settings of the products
   * @param opts Pulumi's resource options
   */
  constructor(name: string, args: ProviderArgs = {}, opts?: pulumi.ResourceOptions) {
    super(...providerRegistration(name, args, SECRETS, opts));
  }
}

/** The settings of a provider. */
export interface ProviderArgs {
${services.map((service) => memberOf(service.name, settingsDoc(service), settingsShape(service))).join("")}
  /** Further connections by name. A resource selects one with its input \`connection\`. */
  readonly connections?: pulumi.Input<{ readonly [name: string]: pulumi.Input<ConnectionArgs> } | undefined> | undefined;
${memberText(dialectSetting, "input", [])}${memberText(adoptionSetting, "input", [])}}

${types.map((shape) => interfaceText(shape, "input", docs[shape.type.name] ?? "")).join("\n")}`;
}

function memberOf(name: string, doc: string, { type }: ObjectShape): string {
  return `  /** ${doc} */\n  readonly ${name}?: pulumi.Input<${type.name}Args | undefined> | undefined;\n`;
}

/** Shapes shared by several services, without duplicates. */
function oncePerName(shapes: readonly ObjectShape[]): ObjectShape[] {
  return [...new Map(shapes.map((shape) => [shape.type.name, shape])).values()];
}

/** Descriptions of the types that belong to no single service. */
const DOCS: Readonly<Record<string, string>> = {
  Connection: "The settings of a named connection.",
  Login: "The login of a connection.",
  LoginParameter: "A parameter of a login, or its source.",
};

function isObject(shape: Shape): shape is ObjectShape {
  return shape.kind === "object";
}

function secretName({ name, facts }: ObjectShape["members"][number]): string[] {
  return facts.secret === true ? [name] : [];
}
