import { status } from "@grpc/grpc-js";
import { isProviderType, isStack, makeUrn, packageOf } from "../../state/urn";
import type { PropertyMap } from "../../state/values";
import type { Deployment } from "../decide/deployment";
import { decideRead } from "../decide/read";
import { register } from "../decide/register";
import type { Executor } from "../execute/executor";
import { Bailed, errorOf } from "../operation/bailed";
import type { Goal, Invocation, ReadGoal } from "../program/goal";
import type { Outcome, Registry } from "../program/registry";
import type { Checked } from "../provider/protocol";
import { withVersion } from "../provider/settings";
import type { Step } from "../steps/step";
import { StatusError } from "../wire/grpc";
import { DefaultProviders } from "./default-providers";

/** What decides which provider serves it. */
interface ServedBy extends Pick<Goal, "parent" | "provider" | "version"> {
  readonly providers?: Goal["providers"];
}

/** What a resource's URN is made of. */
type Asked = Pick<Goal, "parent" | "type" | "name">;

/**
 * Takes what the program asks for, decides on it one after the other, and has it done side by side. Once
 * something has failed nothing more is taken, and whoever still waits is told that the monitor is going away.
 */
export class Registrar implements Registry {
  private turn: Promise<void> = Promise.resolve();
  private readonly goals = new Map<string, Goal>();
  private readonly defaultProviders: DefaultProviders;
  private readonly stepOf = new Map<string, Step>();
  private stackOutputs: { readonly urn: string; readonly outputs: PropertyMap } | undefined;
  private readonly closed: Promise<never>;
  /** The first thing that went wrong while deciding; it has been reported. */
  failure: Error | undefined;

  constructor(
    private readonly deployment: Deployment,
    private readonly executor: Executor,
  ) {
    const { config, snapshot } = deployment.options;
    this.defaultProviders = new DefaultProviders(config, snapshot.resources, (goal) =>
      this.registerAsIs(goal),
    );
    this.closed = new Promise((_, reject) => {
      const close = () => reject(new StatusError(status.UNAVAILABLE, "resource monitor shut down"));
      executor.stopped.addEventListener("abort", close);
    });
    // Only those who wait hear of it.
    this.closed.catch(() => {});
  }

  async register(asked: Goal): Promise<Outcome> {
    const goal = inherit(asked, asked.parent === undefined ? undefined : this.goals.get(asked.parent));
    if (!goal.custom) return this.registerAsIs(goal);
    if (isProviderType(goal.type)) {
      const version = this.defaultProviders.versionOf(packageOf(goal.type), goal.version);
      return this.registerAsIs({ ...goal, inputs: withVersion(goal.inputs, version) });
    }
    return this.registerAsIs({ ...goal, provider: await this.providerOf(goal, goal.type) });
  }

  async read(goal: ReadGoal): Promise<Outcome> {
    const provider = goal.provider ?? (await this.defaultProviders.of(packageOf(goal.type), goal.version));
    return this.wait((resolve) =>
      this.decide(goal, () =>
        decideRead(this.deployment, { ...goal, provider }, (entry) =>
          resolve({ state: entry.state, unknown: false }),
        ),
      ),
    );
  }

  async invoke(invocation: Invocation): Promise<Checked> {
    const { token, args } = invocation;
    const { preview, providers } = this.deployment;
    const provider = await providers.get(await this.providerOf(invocation, token));
    try {
      return await provider.invoke(token, args, preview);
    } catch (error) {
      throw new Error(`invocation of ${token} returned an error: ${errorOf(error).message}`);
    }
  }

  async registerOutputs(urn: string, outputs: PropertyMap): Promise<void> {
    // How the stack's outputs are recorded depends on how the deployment ends.
    if (isStack(urn)) this.stackOutputs = { urn, outputs };
    else await this.wait((resolve, reject) => this.recordOutputs(urn, outputs).then(resolve, reject));
  }

  /** Resolves once everything asked for so far is decided on, and done. */
  async idle(): Promise<void> {
    for (let seen: Promise<void> | undefined; seen !== this.turn; ) {
      seen = this.turn;
      await seen;
      await this.executor.idle();
    }
  }

  /** Records the stack's outputs; after a failure, those that are missing keep their old values. */
  async recordStackOutputs(failed: boolean): Promise<void> {
    if (!this.stackOutputs) return;
    const { urn, outputs } = this.stackOutputs;
    const old = this.deployment.ledger.base.get(urn)?.state.outputs ?? {};
    await this.recordOutputs(urn, failed ? { ...old, ...outputs } : outputs);
  }

  /** The provider that is asked for, that the component around hands down, or the default one. */
  private providerOf(
    { provider, parent, version, providers = {} }: ServedBy,
    type: string,
  ): Promise<string> | string {
    const packageName = packageOf(type);
    const above = parent === undefined ? undefined : this.goals.get(parent)?.providers[packageName];
    return provider ?? providers[packageName] ?? above ?? this.defaultProviders.of(packageName, version);
  }

  private registerAsIs(goal: Goal): Promise<Outcome> {
    return this.wait((resolve) =>
      this.decide(goal, () =>
        register(this.deployment, goal, {
          done: (entry, unknown) => {
            this.goals.set(entry.state.urn, goal);
            resolve({ state: entry.state, unknown });
          },
          goOn: (decide) => this.decide(goal, decide),
        }),
      ),
    );
  }

  private wait<Result>(
    begin: (resolve: (result: Result) => void, reject: (error: unknown) => void) => void,
  ): Promise<Result> {
    return Promise.race([new Promise<Result>(begin), this.closed]);
  }

  private decide(asked: Asked, steps: () => Promise<Step[]>): void {
    this.turn = this.turn.then(async () => {
      if (this.executor.stopped.aborted) return;
      try {
        const chain = await steps();
        for (const step of chain) if (step.logical && step.new) this.stepOf.set(step.urn, step);
        if (chain.length > 0) await this.executor.begin(chain);
      } catch (error) {
        this.fail(errorOf(error), asked);
      }
    });
  }

  private fail(error: Error, { parent, type, name }: Asked): void {
    this.failure ??= error;
    const { diagnostics, options } = this.deployment;
    if (!(error instanceof Bailed)) {
      const { stack, project } = options;
      diagnostics.error(error.message, makeUrn({ stack, project, parent, type, name }));
    }
    this.executor.cancel();
  }

  private async recordOutputs(urn: string, outputs: PropertyMap): Promise<void> {
    const step = this.stepOf.get(urn);
    if (!step?.new) throw new Error(`cannot complete a resource '${urn}' whose registration isn't pending`);
    this.stepOf.delete(urn);
    if (this.deployment.marks.skipped.has(urn)) return;
    step.new.state = { ...step.new.state, outputs };
    await this.executor.tellOutputs(step);
  }
}

/** Options that a resource takes from its parent where it has none of its own. */
function inherit(goal: Goal, parent: Goal | undefined): Goal {
  if (!parent) return goal;
  const deletedWith = goal.deletedWith ?? parent.deletedWith;
  return {
    ...goal,
    ...(!goal.custom && { providers: { ...parent.providers, ...goal.providers } }),
    ...(deletedWith !== undefined && { deletedWith }),
    protect: goal.protect ?? parent.protect,
    retainOnDelete: goal.retainOnDelete ?? parent.retainOnDelete,
  };
}
