import type { StubRequest, StubResponse } from "../../service";
import { JSON_TYPE, Refusal } from "./errors";
import type { Switches } from "./settings";

/** GETs that create credentials: a standby forwards them to the active server. */
const MAKES = /\/(creds|sts)\//;

/** The server that received a request: the active server, or a standby, which answers reads itself, one write behind. */
export class Arrived {
  readonly #host: string;

  constructor(
    private readonly request: StubRequest,
    private readonly switches: Switches,
    /** The number of writes so far. */
    private readonly writes: number,
  ) {
    this.#host = String(request.headers.host ?? "");
  }

  private get isAtStandby(): boolean {
    const { activeServer } = this.switches;
    return activeServer !== "" && new URL(activeServer).host !== this.#host;
  }

  /** True if the responding server lacks the latest write and does not forward the request. */
  get isBehind(): boolean {
    const { method, path, headers } = this.request;
    const makes = method === "GET" && MAKES.test(path);
    if (!this.isAtStandby || makes) return false;
    if (!this.switches.namesStates || this.#asked <= Math.max(0, this.writes - 1)) return true;
    if (headers["x-vault-inconsistent"] === "forward-active-node") return false;
    throw new Refusal(412, ["required index state not present"]);
  }

  /** The headers of every response. */
  headers(writes: number): Readonly<Record<string, string>> {
    if (!this.switches.namesStates || this.switches.activeServer === "") return {};
    return { "x-vault-index": stateOf(writes) };
  }

  /** Any server's report about the active server, without authentication. */
  leader(): StubResponse {
    const { activeServer } = this.switches;
    const body = {
      ha_enabled: activeServer !== "",
      ...(activeServer !== "" && !this.isAtStandby && { is_self: true }),
      leader_address: activeServer,
      leader_cluster_address: "",
    };
    return { status: 200, headers: JSON_TYPE, body };
  }

  /** The number of the latest write that the request must see. */
  get #asked(): number {
    const asked = this.request.headers["x-vault-index"];
    return Math.max(
      0,
      ...[asked ?? []]
        .flat()
        .flatMap((one) => one.split(", "))
        .map(writesIn),
    );
  }
}

const stateOf = (writes: number) => Buffer.from(`v1:stub:${writes}:0:signature`).toString("base64");
const writesIn = (state: string) => Number(Buffer.from(state, "base64").toString("utf8").split(":")[2]);
