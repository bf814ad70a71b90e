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

/** The options that select a resource's provider. */
interface ServedBy extends Pick<Goal, "parent" | "provider" | "version"> {
  readonly providers?: Goal["providers"];
}

/** The parts of a resource's URN. */
type Asked = Pick<Goal, "parent" | "type" | "name">;

/**
 * Accepts the program's registrations, decides on them one at a time, and executes the steps concurrently. After a failure
 * it accepts no further registration, and pending calls fail because the monitor is shutting down.
 */
export class Registrar implements Registry {
  private turn: Promise<void> = Promise.resolve();
  private readonly goals = new Map<string, Goal>();
  private readonly defaultProviders: DefaultProviders;
  private readonly stepOf = new Map<string, Step>();
  private stackOutputs: { readonly urn: string; readonly outputs: PropertyMap } | undefined;
  private readonly closed: Promise<never>;
  /** The first error during a decision; it has been reported. */
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
    // Only callers with a pending request observe the rejection.
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
    // The result of the deployment determines how the stack's outputs are recorded.
    if (isStack(urn)) this.stackOutputs = { urn, outputs };
    else await this.wait((resolve, reject) => this.recordOutputs(urn, outputs).then(resolve, reject));
  }

  /** Resolves when every registration so far is decided and executed. */
  async idle(): Promise<void> {
    for (let seen: Promise<void> | undefined; seen !== this.turn; ) {
      seen = this.turn;
      await seen;
      await this.executor.idle();
    }
  }

  /** Records the stack's outputs; after a failure, missing outputs keep their old values. */
  async recordStackOutputs(failed: boolean): Promise<void> {
    if (!this.stackOutputs) return;
    const { urn, outputs } = this.stackOutputs;
    const old = this.deployment.ledger.base.get(urn)?.state.outputs ?? {};
    await this.recordOutputs(urn, failed ? { ...old, ...outputs } : outputs);
  }

  /** The explicit provider, the provider from the parent component, or the default provider. */
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

/** Inherits the parent's options for options that the resource does not set. */
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
