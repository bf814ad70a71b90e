import { credentials, Server } from "@grpc/grpc-js";
import { EngineClient, EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { GetRootResourceRequest, type GetRootResourceResponse } from "@pulumi/pulumi/proto/engine_pb";
import type { ILanguageRuntimeServer } from "@pulumi/pulumi/proto/language_grpc_pb";
import { Diagnostics } from "../../../engine/deployment/operation/diagnostics";
import { engineService } from "../../../engine/deployment/wire/engine-service";
import { ask, serve } from "../../../engine/deployment/wire/grpc";
import { AttachedProvider } from "./attached-provider";
import { Attached, deployed } from "./deployed";

const anEngine = () => serve([EngineService, engineService(new Diagnostics(() => {}))]);

const call = (client: EngineClient) =>
  ask<GetRootResourceResponse>((done) => client.getRootResource(new GetRootResourceRequest(), done));

/** Makes the next server listen on an address that was used before. */
function giveAgain(address: string): void {
  const bind = Server.prototype.bindAsync;
  jest.spyOn(Server.prototype, "bindAsync").mockImplementationOnce(function (this: Server, _, ...rest) {
    bind.call(this, address, ...rest);
  });
}

test("a client reaches a server on a reused address, even if a client of the previous server is still open", async () => {
  const connect = (address: string) => new EngineClient(address, credentials.createInsecure());
  const first = await anEngine();
  const stale = connect(first.address);
  await call(stale);
  first.stop();
  await expect(call(stale)).rejects.toThrow("UNAVAILABLE");
  giveAgain(first.address);
  const second = await anEngine();
  const client = connect(second.address);
  await expect(call(client)).resolves.toBeDefined();
  for (const one of [stale, client]) one.close();
  second.stop();
});

test("a program that loses its connection to the engine fails, and no resource is deleted", async () => {
  const provider = await AttachedProvider.serve();
  const program = async () => {
    for (const name of ["one", "two"]) new Attached(name, { value: 1 });
  };
  const stopped = await anEngine();
  stopped.stop();
  const cutOff = (server: ILanguageRuntimeServer): ILanguageRuntimeServer => ({
    ...server,
    run(request, done) {
      request.request.setArgsList([stopped.address]);
      server.run(request, done);
    },
  });
  const { environment } = provider;
  const { snapshot } = await deployed(program, { environment });
  for (const kind of ["preview", "up"] as const) {
    const {
      changes,
      error,
      diagnostics,
      snapshot: left,
    } = await deployed(program, { environment, kind, snapshot }, cutOff);
    const lost = "the program lost its connection to the engine before it had registered everything";
    expect({ changes, error, diagnostics }).toEqual({
      changes: { same: 1 },
      error: lost,
      diagnostics: [`error: ${lost}`],
    });
    expect(left.resources).toHaveLength(snapshot.resources.length);
  }
  provider.stop();
});
