import { X509Certificate } from "node:crypto";
import { createSecureContext } from "node:tls";
import type { Agent, Dispatcher } from "undici";
import { textOfRegularFile, UnreadableFile } from "../value/regularFile";
import { unusable } from "./exchange";
import type { CompleteOptions } from "./options";
import { isLoopback } from "./urls";

type Files = CompleteOptions["tls"];
type Env = Readonly<Record<string, string | undefined>>;

/** The longest time for opening a connection, in milliseconds. */
const LONGEST_CONNECT_MS = 10_000;

/** The connection pools of one client. They open at the first request, and connections stay alive between requests. */
export class Transport {
  readonly #pools = new Map<string, Promise<Dispatcher>>();

  constructor(private readonly options: CompleteOptions) {}

  /**
   * The pool for a URL. Another host, which a response names, does not get the client certificate.
   * @throws ExchangeFailure if a file or a proxy's address cannot be used.
   */
  async poolFor(url: URL, isNamed = false): Promise<Dispatcher> {
    const key = `${url.protocol} ${isLoopback(url)} ${isNamed}`;
    let pool = this.#pools.get(key);
    if (pool === undefined) {
      pool = this.#open(url, isNamed);
      this.#pools.set(key, pool);
      // After a failure the next request tries again, because the user may have fixed the cause (a file, for example).
      pool.catch(() => this.#pools.delete(key));
    }
    return pool;
  }

  /** Closes the connections after the requests in progress have ended. */
  async close(): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    for (const opened of await Promise.allSettled(pools)) {
      if (opened.status === "fulfilled") await opened.value.close();
    }
  }

  async #open(url: URL, isNamed: boolean): Promise<Dispatcher> {
    const { env, redactor, maxConnections, timeoutMs } = this.options;
    const timeout = Math.min(timeoutMs, LONGEST_CONNECT_MS);
    const { caFile } = this.options.tls;
    const files = isNamed ? { ...(caFile !== undefined && { caFile }) } : this.options.tls;
    const tls = url.protocol === "https:" ? await tlsFiles(files, env) : undefined;
    if (tls?.key !== undefined) redactor.add([tls.key]);
    const connect = { ...tls, timeout };
    // Each exchange has its own connection, so that a broken connection affects no other exchange. Therefore no HTTP/2.
    const options: Agent.Options = { connections: maxConnections, pipelining: 1, allowH2: false, connect };
    const proxy = proxyFor(url, env);
    // Loads undici only at the first request: a preview sends none, and undici takes longer to load than all our code.
    const { Agent, EnvHttpProxyAgent } = await import("undici");
    if (proxy === undefined) return new Agent(options);
    return new EnvHttpProxyAgent({
      ...options,
      // The agent serves one scheme. It must not read the other scheme's variable from the process's environment.
      httpProxy: proxy,
      httpsProxy: proxy,
      noProxy: proxyVariable(env, "NO_PROXY") ?? "",
      requestTls: connect,
      proxyTls: { timeout },
    });
  }
}

/** The value of a proxy variable. The lower-case name takes precedence. */
export function proxyVariable(env: Env, name: string): string | undefined {
  return env[name.toLowerCase()] || env[name] || undefined;
}

/** The variable that names a proxy for a URL. NO_PROXY may still exclude the URL. */
export function proxyNameFor(url: URL, env: Env): string | undefined {
  const name = url.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  return isLoopback(url) || proxyVariable(env, name) === undefined ? undefined : name;
}

function proxyFor(url: URL, env: Env): string | undefined {
  const name = proxyNameFor(url, env);
  const value = name && proxyVariable(env, name);
  if (value === undefined) return undefined;
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (URL.canParse(address) && /^(https?|socks5?):$/.test(new URL(address).protocol)) return address;
  throw unusable(`the proxy address in ${name} cannot be used`);
}

async function tlsFiles(files: Files, env: Env) {
  const { caFile, clientCertFile, clientKeyFile } = files;
  if ((clientCertFile === undefined) !== (clientKeyFile === undefined)) {
    throw unusable("clientCertFile and clientKeyFile must be set together");
  }
  const [ca, cert, key] = await Promise.all([
    pemFile("caFile", caFile, env),
    pemFile("clientCertFile", clientCertFile, env),
    pemFile("clientKeyFile", clientKeyFile, env),
  ]);
  const tls = { ca, cert, key };
  try {
    createSecureContext(tls);
    // createSecureContext accepts a damaged CA certificate without an error.
    if (ca !== undefined) new X509Certificate(ca);
  } catch {
    throw unusable(
      `${Object.entries(files)
        .map(([setting, file]) => `${setting} (${file})`)
        .join(", ")}: not a usable set of PEM files`,
    );
  }
  return tls;
}

async function pemFile(setting: string, file: string | undefined, env: Env): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const name = `${setting} ${JSON.stringify(file)}`;
  const text = await textOfRegularFile(file, env).catch((error: unknown) => {
    throw error instanceof UnreadableFile ? unusable(`${name} ${error.message}`) : error;
  });
  if (!text.includes("-----BEGIN ")) throw unusable(`${name} is not a PEM file`);
  return text;
}
