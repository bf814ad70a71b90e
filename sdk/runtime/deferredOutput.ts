import { Output } from "@pulumi/pulumi";

/** What outputs inherit, as `instanceof` sees it; it is there, though the types tell of a constructor alone. */
const PROTOTYPE: object = Object(Output).prototype;

/**
 * An output that is made when it is first touched: what a program never reads costs it nothing. It is the output then in
 * all that can be asked of it, so that nobody can tell it from one that was there from the beginning.
 */
export function deferredOutput(make: () => Output<unknown>): Output<unknown> {
  const target: object = Object.create(PROTOTYPE);
  return new Proxy(target, new Deferral(target, make)) as Output<unknown>;
}

/** What an output's own proxy does: the engine's SDK gives an object of this class behind it. */
class Deferral implements ProxyHandler<object> {
  private made?: Output<unknown>;

  constructor(
    private readonly target: object,
    private make: (() => Output<unknown>) | undefined,
  ) {}

  /** The output, whose members are the target's from the first touch on. */
  private touch(): Output<unknown> {
    if (this.make !== undefined) {
      const { make } = this;
      this.make = undefined;
      this.made = make();
      Object.defineProperties(this.target, Object.getOwnPropertyDescriptors(this.made));
    }
    return this.made as Output<unknown>;
  }

  get(target: object, property: string | symbol): unknown {
    const made = this.touch();
    // What is no member of an output is lifted from its value, or refused, by the output.
    return property in target ? Reflect.get(target, property) : Reflect.get(made, property);
  }

  set(target: object, property: string | symbol, value: unknown): boolean {
    this.touch();
    return Reflect.set(target, property, value);
  }

  has(target: object, property: string | symbol): boolean {
    this.touch();
    return Reflect.has(target, property);
  }

  deleteProperty(target: object, property: string | symbol): boolean {
    this.touch();
    return Reflect.deleteProperty(target, property);
  }

  defineProperty(target: object, property: string | symbol, descriptor: PropertyDescriptor): boolean {
    this.touch();
    return Reflect.defineProperty(target, property, descriptor);
  }

  getOwnPropertyDescriptor(target: object, property: string | symbol): PropertyDescriptor | undefined {
    this.touch();
    return Reflect.getOwnPropertyDescriptor(target, property);
  }

  ownKeys(target: object): (string | symbol)[] {
    this.touch();
    return Reflect.ownKeys(target);
  }

  preventExtensions(target: object): boolean {
    this.touch();
    return Reflect.preventExtensions(target);
  }
}
