import * as pulumi from "@pulumi/pulumi";
import { type Ask, consoleOn, TOKENS } from "../../../../tests/stack/console";
import { type Stub, startStub } from "../../../stub";
import { compareWithPlugins } from "./compare";
import type { ComparedStack } from "./compared-stack";

const nothing = async () => {};
// The recordings of the CLI use the dialect of the specification.
process.env.QUARTERDECK_DIALECT = "neutral";

let stub: Stub;
let ask: Ask;
beforeEach(async () => {
  stub = await startStub({ dialect: "neutral" });
  ask = consoleOn(stub);
});
afterEach(() => stub.stop());

/** Resources registered by the types of the plugin, as SDKs of other languages do. */
class Job extends pulumi.CustomResource {
  declare readonly index: pulumi.Output<string>;

  constructor(name: string, args: pulumi.Inputs, options: pulumi.CustomResourceOptions = {}) {
    super("quarterdeck:scheduler:Job", name, { index: undefined, ...args }, options);
  }
}

class Role extends pulumi.CustomResource {
  constructor(name: string, args: pulumi.Inputs, options: pulumi.CustomResourceOptions = {}) {
    super("quarterdeck:secrets:QueueRole", name, args, options);
  }
}

class Provider extends pulumi.ProviderResource {
  constructor(name: string, settings: pulumi.Inputs) {
    super("quarterdeck", name, settings);
  }
}

const spec = (count: number, password: string) => ({
  id: "web",
  taskGroups: [
    {
      name: "front",
      count,
      tasks: [{ name: "server", driver: "docker", env: { PASSWORD: pulumi.secret(password) } }],
    },
  ],
});

const text = (settings: object) => JSON.stringify(settings);

async function configured(stack: ComparedStack): Promise<void> {
  const { scheduler, secrets } = stub.addresses;
  await stack.config("quarterdeck:scheduler", text({ address: scheduler, token: TOKENS.scheduler }), true);
  await stack.config("quarterdeck:secrets", text({ address: secrets, token: TOKENS.secrets }), true);
}

compareWithPlugins(
  "the quarterdeck plugin creates, keeps, updates, refreshes and destroys resources",
  { quarterdeck: "../own-plugin" },
  async (stack) => {
    await configured(stack);
    // The job is written only once, because the index after a second write would depend on time.
    const program = (count: number, password: string, tags: string) => async () => {
      const job = new Job("web", { spec: spec(count, password), purge: true });
      new Role("role", { name: "app", tags }, { dependsOn: [job] });
    };
    const first = program(2, "hidden", "monitoring");
    const second = program(2, "hidden", "management");
    await stack.preview(first);
    await stack.up(first);
    await stack.up(first);
    await stack.preview(program(3, "hidden", "monitoring"), { diff: true });
    await stack.preview(program(3, "changed", "management"));
    await stack.up(second);
    await ask("secrets", "POST", "/v1/msgq/roles/app", { tags: "policymaker" });
    await stack.refresh(second);
    await stack.preview(second, { diff: true });
    await stack.up(second);
    await stack.destroy(nothing);
  },
);

compareWithPlugins(
  "the quarterdeck plugin supports explicit providers and imports, and rejects invalid settings",
  { quarterdeck: "../own-plugin" },
  async (stack) => {
    await configured(stack);
    const { secrets } = stub.addresses;
    const role = (name: string, options: pulumi.CustomResourceOptions = {}) => {
      const provider = new Provider("eu", {
        secrets: { address: secrets, token: pulumi.secret(TOKENS.secrets) },
      });
      return new Role("role", { name, tags: "monitoring" }, { provider, ...options });
    };
    await stack.up(async () => void role("app"));
    await stack.up(async () => void role("app", { retainOnDelete: true }));
    await stack.up(nothing);
    await stack.preview(async () => void role("app", { import: "msgq/app" }));
    await stack.up(async () => void role("app", { import: "msgq/app" }));
    await stack.up(async () => void role("app", { import: "msgq/app" }));
    await stack.preview(async () => {
      const provider = new Provider("bad", { scheduler: { address: 1 }, unheard: "of" });
      return { id: new Role("other", { name: "other" }, { provider }).id };
    });
    await stack.up(async () => void role("app"));
    await stack.destroy(nothing);
  },
);
