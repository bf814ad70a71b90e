import { z } from "zod";
import { Refusal } from "../../refusal";
import type { ReferencesByAddress } from "./dependencies";
import { jsonOf } from "./source";
import { shownResources, shownState } from "./state";

interface ConfiguredModule {
  readonly resources?:
    | readonly Readonly<Record<string, unknown> & { readonly address: string }>[]
    | undefined;
  readonly outputs?: Readonly<Record<string, unknown>> | undefined;
  readonly module_calls?: Readonly<Record<string, ConfiguredCall>> | undefined;
}

interface ConfiguredCall {
  readonly expressions?: Readonly<Record<string, unknown>> | undefined;
  readonly module?: ConfiguredModule | undefined;
  readonly [other: string]: unknown;
}

const configuredModule: z.ZodType<ConfiguredModule> = z.lazy(() =>
  z.object({
    resources: z.array(z.looseObject({ address: z.string() })).optional(),
    outputs: z.record(z.string(), z.unknown()).optional(),
    module_calls: z
      .record(
        z.string(),
        z.looseObject({
          expressions: z.record(z.string(), z.unknown()).optional(),
          module: configuredModule.optional(),
        }),
      )
      .optional(),
  }),
);

const plan = z.object({
  format_version: z.string(),
  prior_state: shownState.optional(),
  configuration: z.object({ root_module: configuredModule }),
  resource_changes: z
    .array(
      z.object({
        address: z.string(),
        mode: z.string().optional(),
        change: z.object({ actions: z.array(z.string()) }),
      }),
    )
    .optional(),
});

/** A plan of Terraform or OpenTofu. */
export interface Plan {
  /**
   * The direct references of each resource, without those whose expressions contain local values: a plan does not contain
   * the expressions of local values.
   */
  readonly references: ReferencesByAddress;
  /** The planned actions of each resource instance: `delete` and `create`, `forget`, `no-op` and so on. */
  readonly actions: ReadonlyMap<string, readonly string[]>;
  /** The addresses in the state that the plan is made from. */
  readonly inState: ReadonlySet<string>;
}

/**
 * Reads the output of `terraform show -json <planfile>`.
 * @throws Refusal if the text is no plan; the message quotes nothing from the text
 */
export function terraformPlan(text: string): Plan {
  const parsed = plan.safeParse(jsonOf(text));
  if (!parsed.success)
    throw new Refusal(
      "the file is not a plan in JSON.\nCreate the file with: terraform plan -out tfplan && terraform show -json tfplan > plan.json",
    );
  const { configuration, prior_state: state, resource_changes: changes = [] } = parsed.data;
  const references = new Map<string, ReadonlySet<string>>();
  collect(new ModuleScope(configuration.root_module, [], undefined), references);
  return {
    references,
    actions: new Map(
      changes
        .filter(({ mode }) => mode !== "data")
        .map(({ address, change }) => [address, change.actions] as const),
    ),
    inState: new Set(state && shownResources(state).map(({ resource }) => resource.address)),
  };
}

/** A local value: its references are unknown. */
const OPEN = "local";

function collect(scope: ModuleScope, references: Map<string, ReadonlySet<string>>): void {
  for (const resource of scope.module.resources ?? []) {
    const { address, expressions, count_expression, for_each_expression, depends_on } = resource;
    const found = scope.referencesIn([expressions, count_expression, for_each_expression, depends_on]);
    for (const other of scope.around) found.add(other);
    if (!found.has(OPEN)) references.set(scope.addressOf(address), found);
  }
  for (const inner of scope.inner.values()) collect(inner, references);
}

/** A module of the configuration, with the meaning of its variables. */
class ModuleScope {
  readonly inner: ReadonlyMap<string, ModuleScope>;

  constructor(
    readonly module: ConfiguredModule,
    private readonly path: readonly string[],
    private readonly caller: { readonly scope: ModuleScope; readonly call: ConfiguredCall } | undefined,
  ) {
    this.inner = new Map(
      Object.entries(module.module_calls ?? {}).map(([name, call]) => [
        name,
        new ModuleScope(call.module ?? {}, [...path, `module.${name}`], { scope: this, call }),
      ]),
    );
  }

  /** What every resource of the module depends on, because the call does. */
  get around(): ReadonlySet<string> {
    if (this.caller === undefined) return new Set();
    const { scope, call } = this.caller;
    return new Set([...scope.referencesIn([call.depends_on]), ...scope.around]);
  }

  addressOf = (address: string) => [...this.path, address].join(".");

  /** The addresses of the resources that expressions refer to. */
  referencesIn(expressions: unknown): Set<string> {
    return new Set(textsIn(expressions).flatMap((text) => [...this.resolve(text)]));
  }

  private resolve(reference: string): ReadonlySet<string> {
    const [, data = "", type = "", name = ""] = /^(data\.)?([\w-]+)\.([\w-]+)/.exec(reference) ?? [];
    switch (type) {
      case "":
      case "count":
      case "each":
      case "path":
      case "self":
      case "terraform":
        return new Set();
      case "local":
        return new Set([OPEN]);
      case "var":
        return this.caller?.scope.referencesIn(this.caller.call.expressions?.[name]) ?? new Set();
      case "module": {
        const inner = this.inner.get(name);
        const output = /^module\.[\w-]+(?:\[(?:\d+|"(?:[^"\\]|\\.)*")\])?\.([\w-]+)/s.exec(reference)?.[1];
        return inner?.outputReferences(output) ?? new Set();
      }
      default:
        return new Set([this.addressOf(`${data}${type}.${name}`)]);
    }
  }

  private outputReferences(name: string | undefined): Set<string> {
    const outputs = this.module.outputs ?? {};
    return this.referencesIn(name === undefined ? outputs : outputs[name]);
  }
}

/**
 * The references in expressions, at any depth; `depends_on` is a list of references itself. A list also contains the
 * beginnings of each reference, `module.net` for `module.net.id`: they are left out.
 */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) {
    const texts = value.flatMap(textsIn);
    return texts.filter((text) => !texts.some((other) => other.startsWith(`${text}.`)));
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    if (name === "constant_value" || name === "description") return [];
    return name === "references" || typeof part === "object" ? textsIn(part) : [];
  });
}
