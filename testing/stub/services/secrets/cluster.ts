import type { StubRequest, StubResponse } from "../../service";
import { JSON_TYPE, Refusal } from "./errors";
import type { Switches } from "./settings";

/** GETs that make something: a standby has the active server answer them. */
const MAKES = /\/(creds|sts)\//;

/** Where a request came in: at the active server, or at a standby that answers reads by itself, one write behind. */
export class Arrived {
  readonly #host: string;

  constructor(
    private readonly request: StubRequest,
    private readonly switches: Switches,
    /** How many writes there were. */
    private readonly writes: number,
  ) {
    this.#host = String(request.headers.host ?? "");
  }

  private get isAtStandby(): boolean {
    const { activeServer } = this.switches;
    return activeServer !== "" && new URL(activeServer).host !== this.#host;
  }

  /** Whether the server that answers knows nothing of the latest write, and is not asked for it. */
  get isBehind(): boolean {
    const { method, path, headers } = this.request;
    const makes = method === "GET" && MAKES.test(path);
    if (!this.isAtStandby || makes) return false;
    if (!this.switches.namesStates || this.#asked <= Math.max(0, this.writes - 1)) return true;
    if (headers["x-vault-inconsistent"] === "forward-active-node") return false;
    throw new Refusal(412, ["required index state not present"]);
  }

  /** What every answer carries. */
  headers(writes: number): Readonly<Record<string, string>> {
    if (!this.switches.namesStates || this.switches.activeServer === "") return {};
    return { "x-vault-index": stateOf(writes) };
  }

  /** What any server says of the active one, whoever asks. */
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

  /** The latest write that the request has to see. */
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
