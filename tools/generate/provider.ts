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
  const settings = Object.fromEntries(
    servicesOf(definitions).map((service) => [service.name, settingsShape(service)]),
  );
  const connection = connectionShape(settings);
  const types = oncePerName(namedTypesIn(connection).filter(isObject));
  const secrets = new Set(types.flatMap(({ members }) => members).flatMap(secretName));
  const names = Object.keys(settings);
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
${names.map((name) => memberOf(name, settingsDoc(name), typeNameOf(settings[name]))).join("")}
  /** Further connections by name. A resource selects one with its input \`connection\`. */
  readonly connections?: pulumi.Input<{ readonly [name: string]: pulumi.Input<ConnectionArgs> } | undefined> | undefined;
${memberText(dialectSetting, "input", [])}${memberText(adoptionSetting, "input", [])}}

${types.map((shape) => interfaceText(shape, "input", docOf(shape))).join("\n")}`;
}

function memberOf(name: string, doc: string, type: string): string {
  return `  /** ${doc} */\n  readonly ${name}?: pulumi.Input<${type} | undefined> | undefined;\n`;
}

function typeNameOf(shape: Shape | undefined): string {
  if (shape === undefined || !isObject(shape)) throw new TypeError("the settings of a service are an object");
  return `${shape.type.name}Args`;
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

function docOf({ type }: ObjectShape): string {
  return DOCS[type.name] ?? settingsDoc(type.name.replace("Settings", "").toLowerCase());
}

function isObject(shape: Shape): shape is ObjectShape {
  return shape.kind === "object";
}

function secretName({ name, facts }: ObjectShape["members"][number]): string[] {
  return facts.secret === true ? [name] : [];
}
