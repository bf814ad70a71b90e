import { createServer, request as forward } from "node:http";
import { connect } from "node:net";
import { listen } from "./servers";

/** A proxy for one test. It resolves every host name to this machine. */
export interface TestProxy {
  readonly address: string;
  /** The requests: `CONNECT host:port` for tunnels, `GET http://host:port/path` for others. */
  readonly asked: string[];
  readonly authorizations: (string | undefined)[];
}

/** Serves a proxy that tunnels and forwards. With `refuse` it responds with that status instead. */
export async function serveProxy(refuse?: number): Promise<TestProxy> {
  const asked: string[] = [];
  const authorizations: (string | undefined)[] = [];
  const server = createServer((message, response) => {
    const { method = "", url = "", headers } = message;
    asked.push(`${method} ${url}`);
    authorizations.push(headers["proxy-authorization"]);
    if (refuse !== undefined) {
      response.writeHead(refuse).end();
      return;
    }
    const { port, pathname, search } = new URL(url);
    const onward = forward(
      { host: "127.0.0.1", port, path: pathname + search, method, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    message.pipe(onward);
  });
  server.on("connect", (message, socket) => {
    const { url = "", headers } = message;
    asked.push(`CONNECT ${url}`);
    authorizations.push(headers["proxy-authorization"]);
    if (refuse !== undefined) {
      socket.end(`HTTP/1.1 ${refuse} Refused\r\n\r\n`);
      return;
    }
    const onward = connect(Number(url.split(":").at(-1)), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(onward).pipe(socket);
    });
    for (const end of [socket, onward]) {
      end.on("error", () => {});
      end.on("close", () => {
        socket.destroy();
        onward.destroy();
      });
    }
  });
  const { address } = await listen(server, "http");
  return { address, asked, authorizations };
}
