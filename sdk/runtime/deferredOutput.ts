import { Output } from "@pulumi/pulumi";

/** The prototype of outputs, for `instanceof`. The SDK declares only a constructor, so the cast is needed. */
const PROTOTYPE: object = Object(Output).prototype;

/**
 * An output that is created when it is first accessed: unread outputs cost nothing. Afterward it behaves like a regular
 * output in every respect.
 */
export function deferredOutput(make: () => Output<unknown>): Output<unknown> {
  const target: object = Object.create(PROTOTYPE);
  return new Proxy(target, new Deferral(target, make)) as Output<unknown>;
}

/** The proxy handler of a deferred output. */
class Deferral implements ProxyHandler<object> {
  private made?: Output<unknown>;

  constructor(
    private readonly target: object,
    private make: (() => Output<unknown>) | undefined,
  ) {}

  /** Returns the output. The first access creates it and copies its members to the target. */
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
    // For a property that is not a member of outputs, the output's own proxy lifts it from the value or throws.
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
