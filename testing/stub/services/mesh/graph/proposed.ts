import type { Members } from "../../../json";
import type { ServiceId } from "../kinds/define";
import { generalProtocol, proxyDefaults } from "../kinds/proxy-defaults";
import { serviceDefaults } from "../kinds/service-defaults";
import type { Datacenter, Draft } from "../world";

/** The entries as they would be after a change. */
export class Proposed {
  constructor(
    private readonly datacenter: Datacenter,
    /** The identity of the changed entry. */
    private readonly changed: Pick<Draft, "kind" | "name" | "namespace">,
    /** Undefined if the entry is deleted. */
    private readonly next: Draft | undefined,
  ) {}

  find(kind: string, id: ServiceId): Draft | undefined {
    return this.#isChanged(kind, id) ? this.next : this.datacenter.find(kind, id);
  }

  body(kind: string, id: ServiceId): Members | undefined {
    return this.find(kind, id)?.body;
  }

  ofKind(kind: string): readonly Draft[] {
    const others = this.datacenter.ofKind(kind).filter((entry) => !this.#isChanged(kind, entry));
    return this.next?.kind === kind ? [...others, this.next] : others;
  }

  /** The service's own protocol, else the `proxy-defaults` protocol, else `tcp`. */
  protocolOf(service: ServiceId): string {
    const own = serviceDefaults.of(this.body("service-defaults", service) ?? {}).Protocol;
    const general = this.body("proxy-defaults", { name: "global", namespace: "default" });
    return own?.toLowerCase() || generalProtocol(proxyDefaults.of(general ?? {})) || "tcp";
  }

  #isChanged(kind: string, { name, namespace }: ServiceId): boolean {
    const { changed } = this;
    return changed.kind === kind && changed.name === name && changed.namespace === namespace;
  }
}
