import type { Json } from "../../../provider/core/value/json";
import type { Exchange } from "../../recorded/exchange";

const USER = "/v1/auth/userpass/users/app";
const ROLE = "/v1/auth/approle/role/app";

const post = (about: string, path: string, body: Json): Exchange => ({ about, method: "POST", path, body });
const get = (about: string, path: string): Exchange => ({ about, method: "GET", path });
const remove = (about: string, path: string): Exchange => ({ about, method: "DELETE", path });

/** The requests to the userpass and the AppRole auth methods. */
export const authObjects: readonly Exchange[] = [
  get("userpass: a user that is not there", USER),
  get("userpass: no users", "/v1/auth/userpass/users?list=true"),
  post("userpass: a user without a password", USER, { token_policies: ["app"] }),
  post("userpass: a user, created", "/v1/auth/userpass/users/App", {
    password: "p",
    token_policies: ["b", "a"],
    token_bound_cidrs: "10.0.0.1/32,10.1.0.0/16,::1/128",
    token_ttl: "1h",
  }),
  get("userpass: a user", USER),
  get("userpass: the users", "/v1/auth/userpass/users?list=true"),
  post("userpass: a limit of uses", USER, { token_num_uses: 3 }),
  post("userpass: batch tokens with a limit of uses", USER, { token_type: "batch" }),
  post("userpass: an unknown type of tokens", USER, { token_type: "default-service" }),
  post("userpass: a TTL above the maximum", USER, { token_ttl: "3h", token_max_ttl: "1h" }),
  post("userpass: an empty password", USER, { password: "" }),
  post("userpass: an address that is none", USER, { token_bound_cidrs: "nonsense" }),
  post("userpass: an address together with the login's own", USER, { token_strictly_bind_ip: true }),
  post("userpass: empty lists", USER, { token_bound_cidrs: [], token_policies: [], token_type: "" }),
  get("userpass: a user with few settings", USER),
  remove("userpass: a user, deleted", USER),
  remove("userpass: a user, deleted again", USER),
  get("approle: a role that is not there", ROLE),
  get("approle: the role ID of a role that is not there", `${ROLE}/role-id`),
  post("approle: a role, created", "/v1/auth/approle/role/App", {}),
  get("approle: a role with few settings", ROLE),
  get("approle: the roles", "/v1/auth/approle/role?list=true"),
  post("approle: a role without a constraint", ROLE, { bind_secret_id: false }),
  post("approle: local secret IDs of an existing role", ROLE, { local_secret_ids: true }),
  post("approle: a role, updated", ROLE, {
    role_id: "own",
    secret_id_bound_cidrs: ["10.0.0.0/8"],
    secret_id_num_uses: 2,
    secret_id_ttl: "10m",
    token_policies: ["app"],
  }),
  get("approle: a role", ROLE),
  get("approle: a role ID", `${ROLE}/role-id`),
  post("approle: a role ID that another role has", "/v1/auth/approle/role/other", { role_id: "own" }),
  post("approle: a name with a character that paths do not have", "/v1/auth/approle/role/a@b", {}),
  remove("approle: a role, deleted", ROLE),
  remove("approle: a role, deleted again", ROLE),
];
